"""Trains the models beside this file and writes what their own libraries predict.

pip install xgboost==3.2.0 lightgbm==4.7.0 pandas scipy; python3 make_forests.py [saved | kinds]
With "saved" only those that XGBoost saved are made again, with "kinds" those of other kinds than
sums of trees that split by thresholds.

Each NAME.csv has a column for each feature and the prediction as the last; an empty cell is missing.
Numbers are floats, and between those that were trained with, so that no row lies on a threshold.
"""

import json
import pathlib
import sys

import lightgbm
import numpy as np
import pandas as pd
import xgboost

FOLDER = pathlib.Path(__file__).parent
ROWS = 80


def table(random, count):
    year = random.normal(size=count).astype(np.float32).astype(float)
    score = random.random(count).astype(np.float32).astype(float)
    score[random.random(count) < 0.2] = np.nan
    close = random.random(count).astype(np.float32).astype(float)
    close[random.random(count) < 0.1] = np.nan
    kind = random.choice(["cat", "cow", "dog", "fox"], count)
    size = random.choice([10, 20, 30], count)
    target = (
        year
        + np.isin(kind, ["cow", "fox"])
        + np.where(np.isnan(score), 0.7, score) * np.where(size == 20, 2, 1)
        + np.where(np.isnan(close), 0.1, close)
    )
    data = pd.DataFrame({"attribute(year)": year, "attribute(kind)": kind, "bm25(title)": score})
    data["attribute(size)"] = size
    data["closeness(place)"] = close
    return data, target


def write(name, model, rows, predictions):
    (FOLDER / f"{name}.json").write_text(model)
    rows = rows.copy()
    rows["prediction"] = predictions
    rows.to_csv(FOLDER / f"{name}.csv", index=False)


def gradient_boosted(random):
    data, target = table(random, 500)
    data = data.drop(columns=["attribute(kind)"]).astype(float)
    rows, _ = table(random, ROWS)
    rows = rows.drop(columns=["attribute(kind)"]).astype(float)
    settings = {"max_depth": 4, "base_score": 0, "tree_method": "exact", "seed": 1}
    booster = xgboost.train(settings, xgboost.DMatrix(data, label=target), 12)
    predictions = booster.predict(xgboost.DMatrix(rows), output_margin=True)
    dump = "[" + ",".join(booster.get_dump(dump_format="json")) + "]"
    write("xgboost", json.dumps(json.loads(dump)), rows, predictions.astype(float))


def saved(random, objective, **more):
    """What save_model writes, with its base score and its objective."""
    data, target = table(random, 500)
    rows, _ = table(random, ROWS)
    rows = rows.drop(columns=["attribute(kind)"]).astype(float)
    data = data.drop(columns=["attribute(kind)"]).astype(float)
    label = {"binary:logistic": target > 1.2, "binary:logitraw": target > 1.2, "count:poisson": np.exp(target / 2)}.get(objective, target)
    settings = {"objective": objective, "max_depth": 4, "tree_method": "exact", "seed": 1, **more}
    names = None if more else list(data.columns)
    train = xgboost.DMatrix(data.to_numpy(), label=label, feature_names=names)
    booster = xgboost.train(settings, train, 12)
    name = "xgboost-" + objective.replace(":", "-")
    booster.save_model(FOLDER / f"{name}.ubj")
    predictions = booster.predict(xgboost.DMatrix(rows.to_numpy(), feature_names=names)).astype(float)
    if names is None:
        rows.columns = [f"xgboost_input_{i}" for i in range(len(rows.columns))]
    rows["prediction"] = predictions
    rows.to_csv(FOLDER / f"{name}.csv", index=False)


def light(random, objective):
    data, target = table(random, 500)
    rows, _ = table(random, ROWS)
    label = {"binary": target > 1.2, "regression": target, "poisson": np.exp(target / 2)}[objective]
    for each in (data, rows):
        each["attribute(kind)"] = pd.Categorical(each["attribute(kind)"], ["cat", "cow", "dog", "fox"])
        each["attribute(size)"] = pd.Categorical(each["attribute(size)"], [10, 20, 30])
    settings = {
        "objective": objective,
        "num_leaves": 9,
        "verbose": -1,
        "min_data_per_group": 1,
        "cat_smooth": 0.0,
        "cat_l2": 0,
        "seed": 1,
    }
    booster = lightgbm.train(settings, lightgbm.Dataset(data, label), 12)
    write("lightgbm-" + objective, json.dumps(booster.dump_model()), rows, booster.predict(rows))


def categories(each):
    each["attribute(kind)"] = pd.Categorical(each["attribute(kind)"], ["cat", "cow", "dog", "fox"])
    each["attribute(size)"] = pd.Categorical(each["attribute(size)"], [10, 20, 30])


def named(random, file, label, more):
    """Trees that split by the names of categories."""
    data, target = table(random, 500)
    rows, _ = table(random, ROWS)
    categories(data)
    categories(rows)
    settings = {"max_depth": 4, "max_cat_to_onehot": 2, "tree_method": "hist", "seed": 1, **more}
    train = xgboost.DMatrix(data, label=label(target), enable_categorical=True)
    booster = xgboost.train(settings, train, 12)
    booster.save_model(FOLDER / file)
    rows["prediction"] = booster.predict(xgboost.DMatrix(rows, enable_categorical=True)).astype(float)
    rows.to_csv((FOLDER / file).with_suffix(".csv"), index=False)


def numbered(random):
    """A dump of trees that split by the numbers of categories."""
    data, target = table(random, 500)
    rows, _ = table(random, ROWS)
    data, rows = (each.drop(columns=["attribute(kind)"]) for each in (data, rows))
    for each in (data, rows):
        each["attribute(size)"] = each["attribute(size)"] / 10
    matrices = [
        xgboost.DMatrix(
            each.to_numpy(),
            label=label,
            enable_categorical=True,
            feature_names=list(each.columns),
            feature_types=["q", "q", "c", "q"],
        )
        for each, label in ((data, target), (rows, None))
    ]
    settings = {"max_depth": 4, "base_score": 0, "tree_method": "hist", "max_cat_to_onehot": 2, "seed": 1}
    booster = xgboost.train(settings, matrices[0], 12)
    dump = "[" + ",".join(booster.get_dump(dump_format="json")) + "]"
    predictions = booster.predict(matrices[1], output_margin=True)
    write("xgboost-categories", json.dumps(json.loads(dump)), rows, predictions.astype(float))


def light_kind(random, name, label, settings):
    data, target = table(random, 500)
    rows, _ = table(random, ROWS)
    categories(data)
    categories(rows)
    settings = {"num_leaves": 9, "verbose": -1, "min_data_per_group": 1, "seed": 1, **settings}
    booster = lightgbm.train(settings, lightgbm.Dataset(data, label(target)), 12)
    write("lightgbm-" + name, json.dumps(booster.dump_model()), rows, booster.predict(rows))


if sys.argv[1:] == []:
    generator = np.random.default_rng(2026)
    gradient_boosted(generator)
    for each_objective in ("binary", "regression", "poisson"):
        light(generator, each_objective)
if sys.argv[1:] != ["kinds"]:
    generator = np.random.default_rng(2027)
    saved(generator, "binary:logistic")
    saved(generator, "count:poisson")
    saved(generator, "reg:squarederror", base_score=0.25)
if sys.argv[1:] != ["saved"]:
    generator = np.random.default_rng(2028)
    saved(generator, "binary:logitraw")
    dart = {"booster": "dart", "rate_drop": 0.3, "one_drop": 1}
    named(generator, "xgboost-dart.ubj", lambda y: y, dart)
    numbered(generator)
    averaged = {"boosting": "rf", "bagging_fraction": 0.7, "bagging_freq": 1}
    light_kind(generator, "averaged", lambda y: y > 1.2, {"objective": "binary", "sigmoid": 2, **averaged})
    light_kind(generator, "squared", lambda y: y, {"objective": "regression", "reg_sqrt": True, "boosting": "dart"})
    light_kind(generator, "lambda", lambda y: (y > 1.2) * 0.7 + 0.1, {"objective": "cross_entropy_lambda"})
    named(generator, "xgboost-saved.json", lambda y: y > 1.2, {"objective": "binary:logistic"})
