// Whoever comes for the first time sees the pages, and not the names of their groups.
for (const group of ["Guides", "Recipes"]) {
  const key = `tsd-accordion-${group}`;
  if (localStorage.getItem(key) === null) localStorage.setItem(key, "true");
}
