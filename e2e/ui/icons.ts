/** Draws the page's PNG icons from its SVG: `node e2e/ui/icons.ts`, once after each change of it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { repositoryRoot } from "../support/bridge/bridge-process.ts";

const folder = join(repositoryRoot, "app", "src", "ui", "public");
const svg = await readFile(join(folder, "icon.svg"), "utf8");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
for (const [name, size, inset] of [
	["icon-192.png", 192, 0],
	["icon-512.png", 512, 0],
	// A system may crop it to a circle of four fifths, so the mark is inside it and the background extends to the edge.
	["icon-maskable-512.png", 512, 0.1],
] as const) {
	const inner = size * (1 - 2 * inset);
	const ground = inset === 0 ? "transparent" : "#15191a";
	await page.setViewportSize({ width: size, height: size });
	const style = `margin:0;width:${size}px;height:${size}px;display:grid;place-items:center;background:${ground}`;
	await page.setContent(`<body style="${style}">${svg.replace("<svg ", `<svg width="${inner}" height="${inner}" `)}</body>`);
	await page.screenshot({ path: join(folder, name), omitBackground: true });
}
await browser.close();
