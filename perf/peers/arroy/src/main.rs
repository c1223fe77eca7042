//! Builds an index of Arroy over the vectors of `vectors.py` and searches it. Prints one line of
//! JSON, as `neighbors.py` describes it.
//!
//! neighbors DIRECTORY COUNT CELLS THREADS TREES INDEX

use arroy::{distances::Euclidean, Database, Reader, Writer};
use heed::{CommitOrAbort, EnvOpenOptions};
use rand::{rngs::StdRng, SeedableRng};
use std::os::unix::fs::MetadataExt;
use std::{fs, num::NonZeroUsize, time::Instant};

const NEIGHBORS: usize = 10;
const SEED: u64 = 42;
const MAP_BYTES: usize = 16 << 30;
const NODES: [usize; 7] = [0, 100, 300, 1_000, 3_000, 10_000, 30_000];

fn words(path: &str) -> Vec<[u8; 4]> {
    let bytes = fs::read(path).expect(path);
    bytes.chunks_exact(4).map(|word| word.try_into().unwrap()).collect()
}

fn floats(path: &str) -> Vec<f32> {
    words(path).into_iter().map(f32::from_le_bytes).collect()
}

fn peak_mb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("the memory of this process");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("VmHWM");
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |index: usize| arguments[index].parse::<usize>().expect("a number");
    let (directory, index) = (&arguments[1], &arguments[6]);
    let (count, cells, threads, trees) = (number(2), number(3), number(4), number(5));
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().unwrap();
    fs::create_dir_all(index).unwrap();
    let env = unsafe { EnvOpenOptions::new().map_size(MAP_BYTES).open(index) }.unwrap();
    let begun = env.write_txn().unwrap();
    let database: Database<Euclidean> = env
        .create_databases_and_commit(begun, |options, write| -> heed::Result<_> {
            options.create_database(write, None).map(CommitOrAbort::<_, ()>::Commit)
        })
        .unwrap()
        .unwrap_commit();

    let begin = Instant::now();
    let base = floats(&format!("{directory}/base.f32"));
    let mut write = env.write_txn().unwrap();
    let writer = Writer::<Euclidean>::new(database, 0, cells);
    for row in 0..count {
        writer.add_item(&mut write, row as u32, &base[row * cells..(row + 1) * cells]).unwrap();
    }
    drop(base);
    let mut random = StdRng::seed_from_u64(SEED);
    let mut builder = writer.builder(&mut random);
    if trees > 0 {
        builder.n_trees(trees);
    }
    builder.build(&mut write).unwrap();
    write.commit().unwrap();
    let seconds = begin.elapsed().as_secs_f64();
    let peak = peak_mb();

    let queries = floats(&format!("{directory}/queries.f32"));
    let exact: Vec<u32> =
        words(&format!("{directory}/neighbors.i32")).into_iter().map(u32::from_le_bytes).collect();
    let read = env.read_txn().unwrap();
    let reader = Reader::<Euclidean>::open(&read, 0, database).unwrap();
    let mut rows = vec![];
    for nodes in NODES {
        let mut times = vec![];
        let mut found = 0;
        for pass in 0..2 {
            for (i, query) in queries.chunks_exact(cells).enumerate() {
                let begin = Instant::now();
                let mut search = reader.nns(NEIGHBORS);
                if let Some(most) = NonZeroUsize::new(nodes) {
                    search.search_k(most);
                }
                let result = search.by_vector(&read, query).unwrap();
                // The first pass warms up.
                if pass == 1 {
                    times.push(begin.elapsed().as_secs_f64() * 1e3);
                    let nearest = &exact[i * NEIGHBORS..(i + 1) * NEIGHBORS];
                    found += result.iter().filter(|each| nearest.contains(&each.0)).count();
                }
            }
        }
        times.sort_by(f64::total_cmp);
        rows.push(format!(
            "{{\"nodes\": {nodes}, \"recall\": {:.4}, \"p50_ms\": {:.4}, \"p99_ms\": {:.4}}}",
            found as f64 / exact.len() as f64,
            times[times.len() / 2],
            times[times.len() * 99 / 100]
        ));
    }
    let files = fs::read_dir(index).unwrap();
    let bytes: u64 = files.map(|file| file.unwrap().metadata().unwrap().blocks() * 512).sum();
    println!(
        "{{\"trees\": {}, \"build_s\": {seconds:.2}, \"peak_mb\": {peak}, \"index_bytes\": {bytes}, \"search\": [{}]}}",
        reader.n_trees(),
        rows.join(", ")
    );
}
