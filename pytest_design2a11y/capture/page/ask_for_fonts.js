// Called in every isolated world of the frozen page before it is read: loads the fonts that axe asks for when it looks
// for icons among the letters, those of plain weight. Loaded later, they would count as a change of the page.

export async function askForFonts() {
  if (!document.fonts.size) return;
  const families = new Set([...document.querySelectorAll("*")].map((element) => getComputedStyle(element).fontFamily));
  const loads = [...families].map((family) => document.fonts.load(`30px ${family}`).catch(() => {}));
  await Promise.all(loads);
}
