import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BridgeKeeper } from "../../src/bridge-process/bridge-keeper.ts";
import { temporaryHome } from "../support/temporary-home.ts";

describe("a bridge that is kept", () => {
	it("is ended and started again when somebody asks, once for all who ask at a time", async () => {
		using home = temporaryHome();
		mkdirSync(join(home.path, "app"));
		const notes: string[] = [];
		const { PATH } = process.env;
		const env = { PATH, XWORKMATE_BRIDGE_LISTEN: "127.0.0.1:0" };
		const keeper = await BridgeKeeper.open({ home: home.path, env, onNote: (words) => notes.push(words) });
		try {
			const first = keeper.endpoint;
			await Promise.all([keeper.restart(), keeper.restart()]);
			expect(keeper.endpoint.pid).not.toBe(first.pid);
			expect((await fetch(`${keeper.endpoint.url}/healthz`)).ok).toBe(true);
			expect(notes).toEqual(["Starting the bridge again."]);
		} finally {
			await keeper.stop();
		}
		await expect(keeper.restart()).rejects.toMatchObject({ code: "BRIDGE_NOT_RUNNING" });
	}, 30_000);
});
