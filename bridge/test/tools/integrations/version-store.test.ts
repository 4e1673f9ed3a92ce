import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { DeclaredTool } from "../../../src/tools/host/host-messages.ts";
import { toolVersion } from "../../../src/tools/integrations/tool-version.ts";
import { VersionStore } from "../../../src/tools/integrations/version-store.ts";
import { demo } from "./home-under-test.ts";

const say: DeclaredTool = {
	...{ toolId: "demo.word.say", method: "say", file: "tools.ts", risk: "write", timeoutMs: 60_000, secrets: [], input: {}, output: {} },
	...{ idempotent: false, keyRead: false, window: true },
};

it("of several versions of the same sources, gives a complete one, even if an older bridge's was stored first or loaded last", async () => {
	await using stack = new AsyncDisposableStack();
	const folder = await mkdtemp(join(tmpdir(), "xworkmate versions-"));
	stack.defer(() => rm(folder, { recursive: true }));
	const store = new VersionStore(folder);
	const files = [{ path: "tools.ts", text: "" }];
	const [older, complete, last] = [
		say,
		{ ...say, risk: "read" as const, codeDecides: false },
		{ ...say, risk: "destructive" as const },
	].map((tool) => toolVersion(demo, files, [tool]));
	if (older === undefined || complete === undefined || last === undefined) throw new Error("There are three versions.");
	store.keep(older);
	expect(store.ofSources(older.sourcesHash)).toBe(older);
	store.keep(complete);
	store.keep(last);
	expect(store.ofSources(older.sourcesHash)).toBe(complete);
	expect(store.lastGood(demo)).toBe(last);
});
