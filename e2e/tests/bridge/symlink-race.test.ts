import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type BridgeProcess, startBridge } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { settle } from "../../support/bridge/settle.ts";
import type { EventStream } from "../../support/wire/event-stream.ts";
import { downloadTar, sha256Of } from "../../support/wire/served-artifacts.ts";
import { turn } from "../../support/wire/turn.ts";

const SECRET = "the owner's secret";

/** Swaps a file and a folder of the scope with links out of it, as fast as it can, until the run has ended. */
async function swapUntilTheEnd(bridge: BridgeProcess, stream: EventStream): Promise<number> {
	const { artifactScope, threadId } = await stream.untilStage("working");
	const session = artifactScope.split("/")[1] ?? threadId;
	const scope = join(bridge.home.xworkmate, "bridge", "workspaces", session, ".xworkmate", artifactScope);
	const outside = join(bridge.home.path, "outside");
	await mkdir(outside, { recursive: true });
	await writeFile(join(outside, "secret.txt"), SECRET);
	let over = false;
	void stream.ended.then(() => {
		over = true;
	});
	let swaps = 0;
	for (; !over; swaps++) {
		await writeFile(join(scope, "a.tmp"), "harmless");
		await rename(join(scope, "a.tmp"), join(scope, "a.txt"));
		await mkdir(join(scope, "folder"), { recursive: true });
		await writeFile(join(scope, "folder", "secret.txt"), "harmless");
		await symlink(join(outside, "secret.txt"), join(scope, "b.tmp"));
		await rename(join(scope, "b.tmp"), join(scope, "a.txt"));
		await rm(join(scope, "folder"), { recursive: true, force: true });
		await symlink(outside, join(scope, "folder"));
		await rm(join(scope, "folder"), { force: true });
	}
	return swaps;
}

it("never follows a link out of the scope, however files are swapped while they are collected", async () => {
	await using bridge = await startBridge({ providers: [unrulyAgent()] });
	const client = bridge.client();
	for (let round = 0; round < 3; round++) {
		let swaps = 0;
		const params = turn({ prompt: "UNRULY:SAY go ;; WRITE_MANY 100 2000 ;; SLOW 12 50", providerId: "unruly" });
		const { snapshot } = await settle(client, params, {
			during: async (stream) => {
				swaps = await swapUntilTheEnd(bridge, stream);
			},
		});
		expect(swaps).toBeGreaterThan(3);
		expect(snapshot.status).toBe("completed");
		const { files } = await downloadTar(client, snapshot.runId);
		expect(files.map(({ sha256 }) => sha256)).not.toContain(sha256Of(SECRET));
		expect(files.length).toBeGreaterThanOrEqual(100);
	}
});
