import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { z } from "zod";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const ownedApp = new URL("../../src/process/app/owned-app.ts", import.meta.url);
const whatAnAppIsMadeOf = /\/(?:open-app|create-app-server)\.ts$|\/fastify\//;
const Coverage = z.object({ result: z.array(z.object({ url: z.string() })) });

/** The modules that a program has loaded by its end, as Node itself counts them. */
function loadedBy(...args: readonly string[]): string[] {
	const folder = mkdtempSync(join(tmpdir(), "loaded-"));
	try {
		execFileSync(process.execPath, [...args], { env: { HOME: folder, NODE_V8_COVERAGE: folder } });
		const written = readdirSync(folder).filter((name) => name.endsWith(".json"));
		return written.flatMap((name) => Coverage.parse(JSON.parse(readFileSync(join(folder, name), "utf8"))).result.map(({ url }) => url));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

// It starts with every command, also those that ask the running app: what an app is made of takes as long to load as all else.
it("a command loads what makes an app only when it makes one", () => {
	const loaded = loadedBy(main, "--help");
	expect(loaded.filter((url) => url.endsWith("/app/src/main.ts"))).toHaveLength(1);
	expect(loaded.filter((url) => url.endsWith("/owned-app.ts") || whatAnAppIsMadeOf.test(url))).toEqual([]);
}, 30_000);

// The bridge is started first, so that both load their code at the same time.
it("an app that is opened loads what it is made of only after it has begun to start its bridge", () => {
	const loaded = loadedBy("--input-type=module", "--eval", `await import(${JSON.stringify(ownedApp.href)})`);
	expect(loaded.filter((url) => url.endsWith("/spawn-bridge.ts"))).toHaveLength(1);
	expect(loaded.filter((url) => whatAnAppIsMadeOf.test(url))).toEqual([]);
}, 30_000);
