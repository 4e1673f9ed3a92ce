import { describe, expect, it } from "vitest";
import { layerOf, wrongArrows } from "../house/import-arrows.ts";

const wrong = (path: string, text: string) => wrongArrows([{ path, text }]);

describe("the import directions", () => {
	it.each([
		["app/src/main.ts", 'import "../../bridge/src/server.ts"', "app may not import bridge/server (bridge/src/server.ts)"],
		["app/src/main.ts", 'import { x } from "@xworkmate/bridge/main"', "app may not import bridge/main (bridge/src/main.ts)"],
		["contracts/src/ids.ts", 'import type { X } from "../../app/src/x.ts"', "contracts may not import app (app/src/x.ts)"],
		["bridge/src/rpc/x.ts", 'export { y } from "../http/y.ts"', "bridge/rpc may not import bridge/http (bridge/src/http/y.ts)"],
		["bridge/src/http/x.ts", 'export * from "../runs/decide.ts"', "bridge/http may not import bridge/core (bridge/src/runs/decide.ts)"],
		["bridge/src/runs/x.ts", 'import "../store/sqlite/x.ts"', "bridge/core may not import bridge/store (bridge/src/store/sqlite/x.ts)"],
		[
			"bridge/src/runs/x.ts",
			'let y: import("../providers/acp/y.ts").Y',
			"bridge/core may not import bridge/providers/acp (bridge/src/providers/acp/y.ts)",
		],
		[
			"bridge/src/providers/acp/x.ts",
			'import { decide } from "../../runs/decide.ts"',
			"bridge/providers/acp may not import bridge/core (bridge/src/runs/decide.ts)",
		],
		[
			"bridge/src/providers/script/x.ts",
			'const y = await import("../acp/y.ts")',
			"bridge/providers/script may not import bridge/providers/acp (bridge/src/providers/acp/y.ts)",
		],
		["bridge/src/main.ts", 'import "./runs/decide.ts"', "bridge/main may not import bridge/core (bridge/src/runs/decide.ts)"],
		["e2e/a.test.ts", 'import { Snapshot } from "@xworkmate/contracts"', "e2e may not import contracts (contracts/src/index.ts)"],
		["openclaw-plugins/src/x.ts", 'import "../../app/src/x.ts"', "openclaw-plugins may not import app (app/src/x.ts)"],
		["app/src/x.ts", "await import(name)", "imports a module whose name is computed"],
		[
			"app/src/x.ts",
			'import "@xworkmate/contracts/src/ids.ts"',
			"imports @xworkmate/contracts/src/ids.ts, which is no export of a package",
		],
		["app/src/x.ts", 'import "../../elsewhere/x.ts"', "imports elsewhere/x.ts, which belongs to no layer"],
	])("refuses in %s: %s", (path, text, problem) => {
		expect(wrong(path, text)).toEqual([`${path}: ${problem}`]);
	});

	it.each([
		["app/src/main.ts", 'import { Snapshot } from "@xworkmate/contracts"; import fastify from "fastify"; import "node:fs"'],
		["bridge/src/providers/acp/x.ts", 'import type { RunEvent } from "../../runs/run-event.ts"; import "../provider.ts"'],
		["bridge/src/server.ts", 'import "./providers/acp/x.ts"; import "./store/sqlite/y.ts"; import "./http/z.ts"'],
		["bridge/src/http/x.ts", 'import type { RunService } from "../runs/run-service.ts"; import "../rpc/y.ts"'],
	])("accepts in %s: %s", (path, text) => {
		expect(wrong(path, text)).toEqual([]);
	});

	it("refuses a file that belongs nowhere", () => {
		expect(layerOf("bridge/src/stray.ts")).toBeUndefined();
		expect(wrong("bridge/src/stray.ts", "")).toHaveLength(1);
	});

	it("takes a comment or a string for what it is", () => {
		expect(wrong("app/src/x.ts", 'const x = `import "../../bridge/src/server.ts"`; // import "../../bridge/src/y.ts"')).toEqual([]);
	});
});
