import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { adoptBridge, findRunningBridge } from "../../../src/process/bridge/adopt-bridge.ts";
import { noteOwnBridge } from "../../../src/process/bridge/bridge-files.ts";
import { spawnBridge } from "../../../src/process/bridge/spawn-bridge.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

/** Ends whatever bridge still runs in a home. */
async function endBridge(home: string): Promise<void> {
	const endpoint = await findRunningBridge(home);
	if (endpoint === undefined) return;
	await noteOwnBridge(home, endpoint);
	await (await adoptBridge(home))?.stop();
}

it("a bridge that cannot be noted as the app's own is ended again, and the words say why", async () => {
	using home = temporaryHome();
	const note = join(home.path, "app", "bridge-child.json");
	// No file can take the place of a folder.
	mkdirSync(note, { recursive: true });
	const { PATH } = process.env;
	const options = { home: home.path, env: { PATH, XWORKMATE_BRIDGE_LISTEN: "127.0.0.1:0" } };
	try {
		await expect(spawnBridge(options)).rejects.toMatchObject({
			code: "BRIDGE_NOT_RUNNING",
			message: expect.stringContaining("could not save a record"),
		});
		rmdirSync(note);
		// A home has one bridge: a second one starts only when the first is gone.
		const bridge = await spawnBridge(options);
		expect(bridge.own).toBe(true);
		await bridge.stop();
	} finally {
		await endBridge(home.path);
	}
}, 30_000);
