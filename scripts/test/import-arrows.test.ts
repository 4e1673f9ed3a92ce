import { describe, expect, it } from "vitest";
import { layerOf, wrongArrows } from "../house/import-arrows.ts";

const wrong = (path: string, text: string) => wrongArrows([{ path, text }]);

describe("the import directions", () => {
	it.each([
		["app/src/main.ts", 'import "../../bridge/src/server.ts"', "app/cli may not import bridge/server (bridge/src/server.ts)"],
		["app/src/main.ts", 'import { x } from "@xworkmate/bridge/main"', "app/cli may not import bridge/main (bridge/src/main.ts)"],
		["app/src/turns/x.ts", 'import "../server/y.ts"', "app/subjects may not import app/server (app/src/server/y.ts)"],
		["app/src/ui/run/x.tsx", 'import "../../cli/y.ts"', "app/ui may not import app/cli (app/src/cli/y.ts)"],
		[
			"app/src/threads/domain/x.ts",
			'import "../thread-repository.ts"',
			"app/domain may not import app/subjects (app/src/threads/thread-repository.ts)",
		],
		[
			"contracts/src/ids/ids.ts",
			'import type { X } from "../../../app/src/api/x.ts"',
			"contracts may not import app/api (app/src/api/x.ts)",
		],
		["bridge/src/rpc/x.ts", 'export { y } from "../http/y.ts"', "bridge/rpc may not import bridge/http (bridge/src/http/y.ts)"],
		["bridge/src/rpc/x.ts", 'import "../runs/engine/y.ts"', "bridge/rpc may not import bridge/core (bridge/src/runs/engine/y.ts)"],
		["bridge/src/http/x.ts", 'export * from "../log/y.ts"', "bridge/http may not import bridge/log (bridge/src/log/y.ts)"],
		[
			"bridge/src/runs/engine/x.ts",
			'import "../../store/sqlite/x.ts"',
			"bridge/core may not import bridge/store (bridge/src/store/sqlite/x.ts)",
		],
		[
			"bridge/src/approvals/x.ts",
			'let y: import("../providers/acp/y.ts").Y',
			"bridge/core may not import bridge/providers/acp (bridge/src/providers/acp/y.ts)",
		],
		[
			"bridge/src/ports/x.ts",
			'import type { X } from "../runs/domain/y.ts"',
			"bridge/ports may not import bridge/domain (bridge/src/runs/domain/y.ts)",
		],
		[
			"bridge/src/providers/acp/x.ts",
			'import { decide } from "../../runs/domain/decide.ts"',
			"bridge/providers/acp may not import bridge/domain (bridge/src/runs/domain/decide.ts)",
		],
		[
			"bridge/src/providers/script/x.ts",
			'const y = await import("../acp/y.ts")',
			"bridge/providers/script may not import bridge/providers/acp (bridge/src/providers/acp/y.ts)",
		],
		["bridge/src/main.ts", 'import "./runs/domain/x.ts"', "bridge/main may not import bridge/domain (bridge/src/runs/domain/x.ts)"],
		["e2e/a.test.ts", 'import { Snapshot } from "@xworkmate/contracts"', "e2e may not import contracts (contracts/src/index.ts)"],
		["openclaw-plugins/src/x.ts", 'import "../../app/src/api/x.ts"', "openclaw-plugins may not import app/api (app/src/api/x.ts)"],
		["app/src/ui/x.ts", 'import { x } from "@xworkmate/platform/files"', "app/ui may not import platform (platform/src/files/index.ts)"],
		["platform/src/errors/x.ts", 'import "../files/y.ts"', "platform/errors may not import platform (platform/src/files/y.ts)"],
		["app/src/api/x.ts", 'import type { X } from "../turns/x.ts"', "app/api may not import app/subjects (app/src/turns/x.ts)"],
		["app/src/turns/x.ts", 'import "../core/x.ts"', "app/subjects may not import app/core (app/src/core/x.ts)"],
		["app/src/api/x.ts", "await import(name)", "imports a module whose name is computed"],
		[
			"app/src/api/x.ts",
			'import "@xworkmate/contracts/src/ids.ts"',
			"imports @xworkmate/contracts/src/ids.ts, which is no export of a package",
		],
		["app/src/api/x.ts", 'import "../../../elsewhere/x.ts"', "imports elsewhere/x.ts, which belongs to no layer"],
	])("refuses in %s: %s", (path, text, problem) => {
		expect(wrong(path, text)).toEqual([`${path}: ${problem}`]);
	});

	it.each([
		["app/src/main.ts", 'import { Snapshot } from "@xworkmate/contracts"; import fastify from "fastify"; import "node:fs"'],
		["bridge/src/providers/acp/x.ts", 'import type { RunEvent } from "../../ports/run-event.ts"; import "../preview.ts"'],
		["bridge/src/server.ts", 'import "./providers/acp/x.ts"; import "./store/sqlite/y.ts"; import "./http/z.ts"'],
		["bridge/src/http/x.ts", 'import type { RunService } from "../ports/run-service.ts"; import "../rpc/y.ts"'],
		["app/src/turns/x.ts", 'import type { Y } from "../api/y.ts"; import "../threads/z.ts"; import "../bridge-client/w.ts"'],
	])("accepts in %s: %s", (path, text) => {
		expect(wrong(path, text)).toEqual([]);
	});

	it("refuses a file that belongs nowhere", () => {
		for (const stray of ["bridge/src/stray.ts", "bridge/src/runs/stray.ts", "app/src/stray.ts", "app/src/new-folder/x.ts"]) {
			expect(layerOf(stray)).toBeUndefined();
			expect(wrong(stray, "")).toHaveLength(1);
		}
	});

	it("takes a comment or a string for what it is", () => {
		expect(wrong("app/src/api/x.ts", 'const x = `import "../../../bridge/src/server.ts"`; // import "../../../bridge/src/y.ts"')).toEqual(
			[],
		);
	});
});
