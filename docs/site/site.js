// Opens the groups Guides and Recipes on a first visit.
for (const group of ["Guides", "Recipes"]) {
  const key = `tsd-accordion-${group}`;
  if (localStorage.getItem(key) === null) localStorage.setItem(key, "true");
}
