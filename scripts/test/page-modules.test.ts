import { expect, it } from "vitest";
import { nodeModulesOfPage } from "../house/page-modules.ts";

const found = (files: Readonly<Record<string, string>>) => nodeModulesOfPage(Object.entries(files).map(([path, text]) => ({ path, text })));

it("finds a module of Node behind what the page loads", () => {
	expect(
		found({
			"app/src/ui/card.tsx": 'import { oneLine } from "../text/printable.ts"; import { limits } from "@xworkmate/contracts/limits"',
			"app/src/text/printable.ts": 'import { stripVTControlCharacters } from "node:util"',
			"contracts/src/runs/limits.ts": 'import "node:os"',
		}),
	).toEqual([
		"app/src/ui/card.tsx -> app/src/text/printable.ts -> node:util",
		"app/src/ui/card.tsx -> contracts/src/runs/limits.ts -> node:os",
	]);
});

it("leaves alone what only the command loads, and imports of types", () => {
	expect(
		found({
			"app/src/ui/card.tsx": 'import type { Line } from "../text/printable.ts"; import { useState } from "react"',
			"app/src/cli/line.ts": 'import { oneLine } from "../text/printable.ts"',
			"app/src/text/printable.ts": 'import { stripVTControlCharacters } from "node:util"',
		}),
	).toEqual([]);
});
