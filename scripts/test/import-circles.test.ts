import { expect, it } from "vitest";
import { importCircles } from "../house/import-circles.ts";

const circles = (files: Readonly<Record<string, string>>) =>
	importCircles(Object.entries(files).map(([path, text]) => ({ path: `app/src/${path}`, text })));

it("finds a circle of files in one folder", () => {
	expect(circles({ "a/x.ts": 'import { y } from "./y.ts"', "a/y.ts": 'export * from "./x.ts"' })).toEqual([
		"app/src/a/x.ts -> app/src/a/y.ts -> app/src/a/x.ts",
	]);
});

it("finds a circle of folders whose files form none", () => {
	expect(
		circles({
			"a/x.ts": 'import "../b/x.ts"',
			"b/x.ts": "",
			"b/y.ts": 'import { z } from "../c/z.ts"',
			"c/z.ts": 'export { x } from "../a/w.ts"',
		}),
	).toEqual(["app/src/a -> app/src/b -> app/src/c -> app/src/a"]);
});

it("counts no import of types, and no module from elsewhere", () => {
	expect(
		circles({
			"a/x.ts": 'import type { Y } from "./y.ts"; import { type Z } from "./z.ts"; import "node:fs"',
			"a/y.ts": 'export type { X } from "./x.ts"; export { type W } from "./x.ts"',
			"a/z.ts": 'import { x } from "./x.ts"',
		}),
	).toEqual([]);
});
