// Light or dark colors: those of the system, unless the switch names others. Runs before the first paint.

(() => {
  const KEY = 'crabro.theme';
  const NAMES = ['system', 'light', 'dark'];
  let name = 'system';

  const apply = () => {
    if (name === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    dispatchEvent(new CustomEvent('crabro-theme'));
  };
  try {
    const kept = localStorage.getItem(KEY);
    if (NAMES.includes(kept)) name = kept;
  } catch {
    // A browser that keeps nothing has the colors of the system.
  }
  apply();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);

  document.addEventListener('DOMContentLoaded', () => {
    const choice = document.getElementById('theme');
    choice.value = name;
    choice.addEventListener('change', () => {
      name = choice.value;
      apply();
      try {
        localStorage.setItem(KEY, name);
      } catch {
        // The choice holds until the page is closed.
      }
    });
  });
})();
