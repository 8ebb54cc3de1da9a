// Which colour schemes the style sheets of a frame know: in its isolated world.
() => {
  const found = new Set();
  const read = (rules) => {
    for (const rule of rules) {
      const condition = rule.media?.mediaText ?? "";
      if (/prefers-color-scheme\s*:\s*dark/.test(condition)) found.add("dark");
      if (/forced-colors/.test(condition)) found.add("forced-colors");
      const scheme = rule.style?.getPropertyValue("color-scheme") ?? "";
      if (/\bdark\b/.test(scheme) && (/\blight\b/.test(scheme) || !/\bonly\b/.test(scheme))) found.add("dark");
      if (/light-dark\(/.test(rule.style?.cssText ?? "")) found.add("dark");
      if (rule.style?.getPropertyValue("forced-color-adjust")) found.add("forced-colors");
      if (rule.styleSheet) readSheet(rule.styleSheet);
      if (rule.cssRules) read(rule.cssRules);
    }
  };
  const readSheet = (sheet) => {
    if (/prefers-color-scheme\s*:\s*dark/.test(sheet.media?.mediaText ?? "")) found.add("dark");
    try {
      read(sheet.cssRules);
    } catch {
      // A sheet from another host, which no script may read.
    }
  };
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) readSheet(sheet);
  for (const meta of document.querySelectorAll("meta[name=color-scheme i]")) {
    if (/\bdark\b/.test(meta.content)) found.add("dark");
  }
  for (const source of document.querySelectorAll("source[media]")) {
    if (/prefers-color-scheme\s*:\s*dark/.test(source.media)) found.add("dark");
  }
  return [...found];
};
