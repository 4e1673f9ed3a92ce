import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findBridge } from "../../src/bridge-client/index.ts";
import { AT } from "../support/fake-run.ts";
import { temporaryHome } from "../support/temporary-home.ts";

function writeBridge(home: string, url: string, token = "own-token"): void {
	mkdirSync(join(home, "bridge"), { recursive: true });
	writeFileSync(join(home, "bridge", "endpoint.json"), JSON.stringify({ url, pid: 1, startedAt: AT }));
	writeFileSync(join(home, "bridge", "token"), `${token}\n`);
}

describe("finding the bridge", () => {
	it("reads the home's endpoint and token", async () => {
		using home = temporaryHome();
		await expect(findBridge({ home: home.path })).rejects.toMatchObject({ code: "BRIDGE_NOT_RUNNING" });
		writeBridge(home.path, "http://127.0.0.1:4567");
		expect(await findBridge({ home: home.path })).toEqual({ url: new URL("http://127.0.0.1:4567"), token: "own-token" });
		expect(await findBridge({ home: home.path, token: "given" })).toMatchObject({ token: "given" });
	});

	it("sends the home's token to the home's bridge and to no other address", async () => {
		using home = temporaryHome();
		writeBridge(home.path, "http://127.0.0.1:4567");
		for (const bridgeUrl of ["http://127.0.0.1:9999", "https://bridge.example", "http://localhost:4567"]) {
			await expect(findBridge({ home: home.path, bridgeUrl })).rejects.toMatchObject({ code: "BRIDGE_TOKEN_MISSING" });
			expect(await findBridge({ home: home.path, bridgeUrl, token: "theirs" })).toMatchObject({ token: "theirs" });
		}
		expect(await findBridge({ home: home.path, bridgeUrl: "http://127.0.0.1:4567/" })).toMatchObject({ token: "own-token" });
	});

	it.each([
		"http://bridge.example",
		"http://10.0.0.1:8787",
		"ftp://127.0.0.1",
		"nonsense",
		"http://u:p@127.0.0.1:4567",
		"https://b.example/acp/rpc",
		"https://b.example/?token=x",
	])("[T4-93] refuses %s: https beyond loopback, an origin and nothing more", async (bridgeUrl) => {
		using home = temporaryHome();
		await expect(findBridge({ home: home.path, bridgeUrl, token: "t" })).rejects.toMatchObject({ code: "BRIDGE_URL_REFUSED" });
	});

	it("says which address is refused: the one that was set, or the one that this home's bridge has", async () => {
		using home = temporaryHome();
		const given = findBridge({ home: home.path, bridgeUrl: "http://10.0.0.1:8787", token: "t" });
		await expect(given).rejects.toMatchObject({
			message: "The bridge's address (the setting bridgeUrl, XWORKMATE_BRIDGE_URL) is neither https nor a loopback address.",
		});
		writeBridge(home.path, "http://192.168.1.5:8787");
		await expect(findBridge({ home: home.path })).rejects.toMatchObject({
			code: "BRIDGE_URL_REFUSED",
			message: "The address of this data folder's bridge, http://192.168.1.5:8787, is neither https nor a loopback address.",
			fix: expect.stringContaining("XWORKMATE_BRIDGE_LISTEN"),
		});
	});

	it("names a damaged endpoint file and a missing token", async () => {
		using home = temporaryHome();
		writeBridge(home.path, "http://127.0.0.1:4567", "  ");
		await expect(findBridge({ home: home.path })).rejects.toMatchObject({ code: "BRIDGE_TOKEN_MISSING" });
		writeFileSync(join(home.path, "bridge", "endpoint.json"), "{");
		await expect(findBridge({ home: home.path })).rejects.toMatchObject({ code: "BRIDGE_NOT_RUNNING" });
	});
});
