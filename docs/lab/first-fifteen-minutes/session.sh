#!/usr/bin/env bash
# The first fifteen minutes with Crabro, as somebody types them who has notes, a table, mails and JSON:
#
#     session.sh DISTRIBUTION DIRECTORY
#
# DISTRIBUTION is an unpacked one, DIRECTORY is empty. Every command is printed with its output. After each command, the
# script requires the numbers that are right, and an output without words that only those know who have read the manual.
# It ends with status 1 at the first that is not so. The last line has the number of commands and the seconds.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PATH=$1/bin:$PATH
cd "$2"
cp -r "$here/../../../samples/home" home
# A wide terminal: texts are not cut. Java prints a line that says so.
export JDK_JAVA_OPTIONS="-Dcrabro.terminal.columns=240 ${JDK_JAVA_OPTIONS:-}"

# Words of the insides. They are in no output of these fifteen minutes.
jargon='streaming\.|groupname|selection|Exception|^\s+at [a-z]+\.|\bnull\b|NAMESPACE|generation'
commands=0
first=
begin=$(date +%s%N)
server=
stop() { if [[ -n "$server" ]]; then kill "$server" 2>/dev/null || true; fi; }
trap stop EXIT

# Fails with a reason. With CONTINUE=yes in the environment, the script fails at its end.
failures=0
wrong() {
    echo "WRONG: $1" >&2
    failures=$((failures + 1))
    if [[ -z "${CONTINUE:-}" ]]; then exit 1; fi
}

# Runs a command as it is typed, and keeps its output and status. The words of a line are not split again.
run() {
    commands=$((commands + 1))
    echo "\$ $*"
    status=0
    # On a terminal, hits are shown as a table.
    local table=()
    if [[ "${*:1:2}" == 'crabro query' ]]; then table=(--table); fi
    said=$("$@" ${table[@]+"${table[@]}"} 2>&1) || status=$?
    said=$(grep -v '^NOTE: Picked up JDK_JAVA_OPTIONS' <<<"$said" || true)
    printf '%s\n\n' "$said"
    if [[ "$said" =~ Started\ as\ process\ ([0-9]+) ]]; then server=${BASH_REMATCH[1]}; fi
    if grep -E "$jargon" <<<"$said"; then wrong "jargon in the output of: $*"; fi
}

# A command that succeeds.
types() {
    run "$@"
    if ((status != 0)); then wrong "status $status of: $*"; fi
}

# Repeats a command until it succeeds, for a minute.
eventually() {
    local deadline=$((SECONDS + 60))
    while ! "$@" >/dev/null 2>&1 && ((SECONDS < deadline)); do sleep 0.2; done
    "$@"
}

# A command that is refused.
fails() {
    run "$@"
    if ((status == 0)); then wrong "no error: $*"; fi
}

# Texts that the output of the last command has. Blanks between words may be more.
shows() {
    local each pattern
    for each in "$@"; do
        pattern=$(sed -e 's/[][\.*^$/|+?(){}]/\\&/g' -e 's/ /[ ]+/g' <<<"$each")
        grep -qE -e "$pattern" <<<"$said" || wrong "the output lacks '$each'"
    done
}

# Texts that it does not have.
lacks() {
    local each
    for each in "$@"; do
        if grep -qF -e "$each" <<<"$said"; then wrong "the output has '$each'"; fi
    done
}

types crabro
shows 'crabro import'

# The four imports. The table says that its bytes are no UTF-8, and what to type instead.
types crabro import home/notes
first=$(date +%s%N)
shows '12 documents' '12 new, 0 changed, 0 removed, 0 unchanged' 'title' 'kitchen/coffee.md'
fails crabro import home/orders.csv
shows 'orders.csv, line 2' '--encoding windows-1252'
types crabro import home/orders.csv --encoding windows-1252 --id Nummer
shows '14 documents' 'dates with points, such as 29.04.2024' 'numbers with separators, such as 1.299,00'
types crabro import home/mail.mbox
shows '3 documents' 'subject' 'attachments'
types crabro import home/tickets.json
shows '5 documents' 'customer.address.city' 'items'
types crabro status
shows 'notes' '12' 'orders' '14' 'mail' '3' 'tickets' '5' 'me'
types crabro open --print
shows '/console/'

# The schema of the orders is edited: Datum is a date, and the state of an order is a whole value.
if ! grep -q 'kind:' orders-package/schemas/orders.sd; then
    sed -i '/field Datum /,/}/s/attribute$/attribute\n      kind: date/' orders-package/schemas/orders.sd
fi
sed -i '/field Zustand /,/}/s/index$/index\n      match: word/' orders-package/schemas/orders.sd
types crabro import home/orders.csv --encoding windows-1252 --id Nummer
shows 'is used as it is' '14 unchanged'
types crabro query 'select Nummer from orders where Zustand contains "offen"'
shows '4 matching documents' 'A-1003' 'A-1005' 'A-1010' 'A-1013'

# Eight searches: a word, typos, a beginning, no umlauts, dates, facets, parts of objects.
types crabro query coffee
shows '6 matching documents' 'kitchen/coffee.md' 'Shopping list' 'The boat and the charts'
types crabro query cofee
shows '6 matching documents' 'kitchen/coffee.md' 'Shopping list' 'The boat and the charts'
types crabro query archipelgo
shows '3 matching documents' 'travel/archipelago.md' 'travel/packing.md' 'The boat and the charts'
# The longer word is first, then one that differs in a letter.
types crabro query measurem
shows '2 matching documents' 'pavilion.md' 'bicycle.md'
types crabro query kasekuchen
shows '1 matching document' 'kitchen/kaesekuchen.md'
types crabro query ubergabe
shows '1 matching document' 'Übergabe der Maschine'
may='Datum >= "2024-05" and Datum < "2024-06"'
types crabro query "select Nummer, Datum, Preis from orders where $may order by Datum"
shows '8 matching documents' 'A-1002 2024-05-02 48.5' 'A-1005 2024-05-07 2598' 'A-1009 2024-05-31 219.9'
types crabro query "select * from orders where $may | all(output(count(), sum(Preis)))"
shows '8 3251'
types crabro query 'select * from orders where true | all(group(Kunde) each(output(count(), sum(Preis))))'
shows 'Bäckerei Groß 3 1361.5' 'Café Müller 5 2019.3' 'Hotel Nordsee 3 2942.65' 'Jürgen Weiß 3 140.65'
if grep -q 'field tags' notes-package/schemas/notes.sd; then
    types crabro query 'select * from notes where true | all(group(tags) each(output(count())))'
    shows 'coffee 2' 'garden 2' 'kitchen 3' 'paperwork 1' 'recipe 2' 'repair 3' 'sailing 2' 'travel 3'
fi
valve='items contains sameElement(name contains "valve", price > 50)'
types crabro query "select id, title, created_at from tickets where $valve"
shows '1 matching document' 'T-1' 'Machine leaks water'
types crabro query 'select id from tickets where customer_address_city contains "Hamburg"'
shows '3 matching documents' 'T-2' 'T-3' 'T-4'

# Mistakes have an answer that helps.
fails crabro query 'select * from note where true'
shows 'notes'
fails crabro query 'select * from orders where true order by Pries'
shows 'Preis'
lacks 'A-1001'
fails crabro query coffee --group you
shows 'me'
fails crabro query coffee --grup me
shows '--group'
fails crabro inspect missing
shows 'missing'

# The edited schema is still as it was edited.
types grep -A 3 'field Zustand' orders-package/schemas/orders.sd
shows 'match: word'

# A second import, after files were deleted, changed and added.
bash "$here/later.sh" home
types crabro import home/notes
shows '1 new, 1 changed, 2 removed, 9 unchanged'
types crabro query coffee --type notes
shows '4 matching documents'
lacks 'Packing list'
types crabro query 'Green tea' --type notes
shows '1 matching document'

# The table has a new column. The edited schema gets it by hand.
types crabro import home/orders.csv --encoding windows-1252 --id Nummer
shows 'lacks' 'Bemerkung' '--replace' '1 new, 1 changed, 1 removed, 12 unchanged'
sed -i 's/^    field Zustand /    field Bemerkung type string {\n      indexing: summary | index\n    }\n\n&/' \
    orders-package/schemas/orders.sd
types crabro import home/orders.csv --encoding windows-1252 --id Nummer
shows '0 new, 1 changed, 0 removed, 13 unchanged'
types crabro query 'select * from orders where true | all(output(count(), sum(Preis)))'
shows '14 6426.5'
types crabro query 'select Nummer, Bemerkung from orders where Bemerkung contains "aufgerissen"'
shows '1 matching document' 'A-1010'
types crabro query 'select Nummer from orders where Zustand contains "offen"'
shows '5 matching documents' 'A-1015'

# A copy, and a server on it.
types crabro backup copy
types crabro stop
types crabro restore copy --data other-data
ports=()
if [[ -n "${CRABRO_TARGET:-}" ]]; then ports=(--port "${CRABRO_TARGET##*:}" --config-port "${CRABRO_CONFIG##*:}"); fi
crabro serve --data other-data ${ports[@]+"${ports[@]}"} >serve.log 2>&1 &
server=$!
types eventually crabro status
shows 'notes 11' 'orders 14' 'mail 3' 'tickets 5'
types crabro query coffee
shows '5 matching documents'
types crabro stop --data other-data
server=

end=$(date +%s%N)
printf '{"commands":%d,"first hit seconds":%d,"seconds":%d}\n' "$commands" \
    $(((first - begin) / 1000000000)) $(((end - begin) / 1000000000))
if ((failures > 0)); then exit 1; fi
