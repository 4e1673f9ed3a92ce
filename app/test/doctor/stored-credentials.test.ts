import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { secretFileOf } from "@xworkmate/platform/settings";
import { expect, it } from "vitest";
import { Diagnosis } from "../../src/doctor/diagnosis.ts";
import { temporaryHome } from "../support/temporary-home.ts";

const gatewayQueue = { view: { limits: { maxActive: 1, maxQueued: 1 }, active: [], waiting: [] } };

/** A home with this bridge log, and the log as a window shows it. */
function homeWithLog(log: string) {
	const home = temporaryHome();
	mkdirSync(join(home.path, "bridge"));
	mkdirSync(join(home.path, "app"));
	writeFileSync(join(home.path, "bridge", "bridge.log"), log);
	const shown = async () => (await new Diagnosis({ home: home.path, secrets: [], gatewayQueue }).bridgeLog()).text;
	return { ...home, [Symbol.dispose]: () => home[Symbol.dispose](), shown };
}

it.each([
	["a setting", "bridge/discord-token", "blue lagoon one\n"],
	["another setting", "bridge/openclaw-token", "blue lagoon one\n"],
	["an account", "auth-profiles.json", { version: 1, profiles: { a: { type: "api_key", provider: "openai", key: "blue lagoon one" } } }],
	["a channel", "bridge/channel-secrets.json", { version: 1, channels: { email: { password: "blue lagoon one" } } }],
	["a channel, in another field", "bridge/channel-secrets.json", { version: 1, channels: { whatsapp: { appSecret: "blue lagoon one" } } }],
	["an agent", "agent-secrets.json", { version: 1, agents: { codex: { ACME_LOGIN: "blue lagoon one" } } }],
	["a channel, in a damaged file", "bridge/channel-secrets.json", '{"channels": {"email": {"password": "blue lagoon one", '],
	["an agent, with escapes", "agent-secrets.json", '{"version": 1, "agents": {"codex": {"ACME_LOGIN": "blue\\u0020lagoon one"}}}'],
])("the log contains no secret of %s, even if other users can read its file", async (_of, file, content) => {
	using home = homeWithLog("it said blue lagoon one twice");
	const path = join(home.path, file);
	writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
	for (const mode of [0o600, 0o644]) {
		chmodSync(path, mode);
		expect(await home.shown()).toBe("it said [redacted] twice");
	}
});

it("the log is shown without the other secrets where some of the files can't be read", async () => {
	using home = homeWithLog("it said blue lagoon one twice");
	for (const file of ["agent-secrets.json", "auth-profiles.json", "bridge/channel-secrets.json", "bridge/token", "bridge/discord-token"])
		mkdirSync(join(home.path, file));
	secretFileOf(home.path, "openclaw-token").replace("blue lagoon one");
	expect(await home.shown()).toBe("it said [redacted] twice");
});
