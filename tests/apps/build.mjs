// Builds every app under NAME/source into NAME/site: `node build.mjs [NAME ...]`. See README.md.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import preact from "@preact/preset-vite";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import vue from "@vitejs/plugin-vue";
import { build } from "vite";
import solid from "vite-plugin-solid";

const here = import.meta.dirname;
const PLUGINS = { react, vue, svelte, preact, solid, tailwind };
const named = process.argv.slice(2);
const apps = fs.readdirSync(here).filter((name) => fs.existsSync(path.join(here, name, "source", "index.html")));

const bundled = new Set();

for (const name of named.length ? named : apps) {
  const root = path.join(here, name, "source");
  const outDir = path.join(here, name, "site");
  const plugin = PLUGINS[name.split("-")[0]];
  const style = path.join(here, "style.css");
  const shared = {
    root,
    configFile: false,
    logLevel: "warn",
    plugins: [plugin?.()],
    resolve: { alias: { "./style.css": style } },
  };
  const { output } = await build({ ...shared, build: { outDir, emptyOutDir: true, target: "esnext" } });
  for (const chunk of output) for (const id of chunk.moduleIds ?? []) bundled.add(packageOf(id));
  await prerender(name, root, outDir, shared);
  dropUnusedFonts(path.join(outDir, "assets"));
}
if (!named.length) fs.writeFileSync(path.join(here, "LICENSES.txt"), licenses());

function packageOf(file) {
  return file.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[0];
}

function licenses() {
  // Fonts and style sheets are in no list of modules.
  const folders = [...bundled, path.join(here, "node_modules", "tailwindcss")].filter(Boolean);
  const texts = [...new Set(folders.map((folder) => fs.realpathSync(folder)))].map((folder) => {
    const { name, version, license, author } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
    const file = fs.readdirSync(folder).find((found) => /^licen[cs]e/i.test(found));
    const text = file ? fs.readFileSync(path.join(folder, file), "utf8").trim() : mitLicence(author.name ?? author);
    return `${name} ${version} (${license})\n${"-".repeat(72)}\n${text}\n`;
  });
  const head = "Libraries whose code or fonts are in the builds of this folder.\n";
  return [head, ...texts.sort()].join("\n");
}

// For packages that name the licence without its text.
function mitLicence(author) {
  const mit = fs.readFileSync(path.join(here, "node_modules", "react", "LICENSE"), "utf8");
  return mit.replace(/^Copyright.*$/m, `Copyright (c) ${author} and contributors`).trim();
}

// KaTeX comes with sixty font files; the page shows letters of six.
function dropUnusedFonts(assets) {
  const isUsed = /_(Main-Regular|Math-Italic|Size\d-Regular)-.*woff2$/;
  for (const file of fs.readdirSync(assets)) {
    if (file.startsWith("KaTeX") && !isUsed.test(file)) fs.rmSync(path.join(assets, file));
  }
}

async function prerender(name, root, outDir, shared) {
  const entry = ["src/server.jsx", "src/server.js"].find((file) => fs.existsSync(path.join(root, file)));
  if (!entry) return;
  const server = path.join(here, "node_modules", ".server", name);
  await build({ ...shared, build: { ssr: entry, outDir: server, emptyOutDir: true } });
  const [file] = fs.readdirSync(server).filter((found) => /\.m?js$/.test(found));
  const { render } = await import(pathToFileURL(path.join(server, file)));
  const page = path.join(outDir, "index.html");
  fs.writeFileSync(page, fs.readFileSync(page, "utf8").replace("<!--server-->", await render()));
}
