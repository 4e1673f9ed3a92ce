import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import type { AppProcess } from "../../../src/api/process-rows.ts";
import { ownVersion } from "../../../src/config/own-version.ts";
import { readSettings } from "../../../src/config/settings.ts";
import { appEndpointFile } from "../../../src/process/app/running-app.ts";
import { HomeOwner } from "../../../src/process/background/home-owner.ts";
import { writeEndpoint } from "../../../src/process/bridge/bridge-files.ts";
import { createAppToken } from "../../../src/server/access/app-token.ts";
import { createAppServer } from "../../../src/server/create-app-server.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

/** An app of a home as other processes see it, and a program that is started in its place. */
async function homeWith(said: Omit<AppProcess, "pid">) {
	const home = temporaryHome();
	mkdirSync(join(home.path, "app"), { recursive: true });
	const ended: string[] = [];
	const server = createAppServer({
		...{ api: {} as AppApi, token: createAppToken(home.path), onError: () => undefined },
		process: {
			ping: async () => ({ pid: process.pid, ...said }),
			endApp: async ({ bridge }) => {
				ended.push(bridge);
				server.requests.areRefused = true;
			},
		},
	});
	const url = await server.app.listen({ host: "127.0.0.1", port: 0 });
	writeEndpoint(appEndpointFile(home.path), { url, pid: process.pid, startedAt: new Date().toISOString() });
	const main = join(home.path, "started.mjs");
	// Notes how it was started, and that it could not run.
	writeFileSync(
		main,
		`import { writeFileSync, writeSync } from "node:fs";
writeFileSync(${JSON.stringify(join(home.path, "started"))}, process.argv.slice(2).join(" "));
writeSync(3, JSON.stringify({ state: "failed", failure: { code: "CONFIG_REFUSED", message: "config.json is wrong.", fix: "Correct it." } }));`,
	);
	const settings = readSettings({ ...process.env, XWORKMATE_HOME: home.path });
	return {
		owner: new HomeOwner({ settings, main }),
		url,
		ended,
		endpoint: appEndpointFile(home.path),
		wasStarted: () => existsSync(join(home.path, "started")),
		stop: () => server.app.close(),
		started: () => readFileSync(join(home.path, "started"), "utf8"),
		async [Symbol.asyncDispose]() {
			await server.app.close();
			home[Symbol.dispose]();
		},
	};
}

it("uses the app that runs, in whatever way", async () => {
	for (const said of [{}, { version: "0.0.1", runsAs: "terminal" }, { version: ownVersion(), runsAs: "background" }] as const) {
		await using home = await homeWith(said);
		expect((await home.owner.get()).url).toBe(home.url);
		expect(home.ended).toEqual([]);
	}
});

it("ends an app in the background of another version with its bridge, starts its own, and says why that failed", async () => {
	await using home = await homeWith({ version: "0.0.1", runsAs: "background" });
	await expect(home.owner.get()).rejects.toMatchObject({ code: "CONFIG_REFUSED", message: "config.json is wrong.", fix: "Correct it." });
	expect(home.ended).toEqual(["end"]);
	expect(home.started()).toBe("background --report");
});

it.each([true, false])("starts no other app in the place of one that the user stopped, however often it is asked", async (endsBridge) => {
	await using home = await homeWith({ version: ownVersion(), runsAs: "background", endsBridge });
	const found = await home.owner.get();
	rmSync(home.endpoint);
	await home.stop();
	for (const _ of [1, 2]) {
		home.owner.lost(found);
		await expect(home.owner.get()).rejects.toMatchObject({
			code: "APP_STOPPED",
			message: "XWorkmate was stopped.",
			endedBridge: endsBridge,
		});
	}
	expect(home.wasStarted()).toBe(false);
});

it("starts another app in the place of one that was killed, which leaves its address behind", async () => {
	await using home = await homeWith({ version: ownVersion(), runsAs: "background" });
	const found = await home.owner.get();
	await home.stop();
	home.owner.lost(found);
	await expect(home.owner.get()).rejects.toMatchObject({ code: "CONFIG_REFUSED" });
	expect(home.wasStarted()).toBe(true);
});
