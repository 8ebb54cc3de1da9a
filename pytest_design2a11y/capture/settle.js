// Called in every isolated world of the frozen page: brings everything that moves without scripts to rest.
async (imageLimit) => {
  const roots = [document];
  for (let index = 0; index < roots.length; index += 1) {
    for (const element of roots[index].querySelectorAll("*")) {
      const shadow = element.shadowRoot;
      if (shadow) roots.push(shadow);
    }
  }
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const restless = new Set();

  // Finite animations end, as if one had waited; endless ones are as if they had never begun.
  for (const root of roots) {
    for (const animation of root.getAnimations()) {
      try {
        animation.finish();
      } catch {
        animation.cancel();
      }
    }
  }
  for (const picture of all("svg")) {
    if (!picture.querySelector("animate, animateTransform, animateMotion, set")) continue;
    picture.pauseAnimations();
    picture.setCurrentTime(0);
  }
  for (const media of all("video, audio")) {
    media.pause();
    if (media.currentTime) media.currentTime = 0;
    restless.add("video");
  }
  if (all("canvas").length) restless.add("canvas");
  if (all("embed, object").length) restless.add("plug-in");

  const rules = [];
  if (all("progress:indeterminate").length) {
    rules.push("progress:indeterminate { appearance: none !important; }");
    rules.push("progress:indeterminate::-webkit-progress-bar { background: #ddd !important; }");
  }
  if (all("input, textarea, [contenteditable]").length) {
    rules.push("input, textarea, [contenteditable] { caret-color: transparent !important; }");
  }
  if (rules.length) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules.join("\n"));
    for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }

  const images = all("img");
  for (const image of images) {
    if (image.loading === "lazy") image.loading = "eager";
  }
  const decoded = images.slice(0, imageLimit).map((image) => image.decode().catch(() => {}));
  await Promise.all([document.fonts.ready, ...decoded]);
  scrollTo(0, 0);
  return { restless: [...restless] };
};
