#!/usr/bin/env bash
# What happens to the files of samples/home before the second import: later.sh COPY
# Two notes are deleted, one is changed, one is new.
# An order is deleted, a price is changed, an order and a column are new.
set -euo pipefail

cd "$1"
rm notes/travel/packing.md notes/kitchen/sourdough.md
sed -i 's/Ethiopia/Kenya/' notes/kitchen/coffee.md
printf '%s\n' --- 'title: Green tea' 'date: 2024-07-01' 'tags: [kitchen]' --- '' 'Three minutes at 80 degrees.' >notes/kitchen/tea.md
export LC_ALL=C
sed -i -e '/^A-1004;/d' -e 's/;35,00;/;36,50;/' -e 's/\r$//' orders.csv
echo 'A-1015;15.07.2024;Hotel Nordsee;Entkalker;5;49,90;offen' >>orders.csv
sed -i -e '1s/$/;Bemerkung/' -e '/^A-/s/$/;/' -e '/^A-1010/s/$/Karton aufgerissen/' orders.csv
