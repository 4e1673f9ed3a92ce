import { expect, it } from "vitest";
import { readSettings } from "../../../src/config/settings.ts";
import { windowHost } from "../../../src/process/app/window-host.ts";

const secrets = {
	XWORKMATE_TOKEN: "token-of-a-bridge-elsewhere",
	XWORKMATE_OPENCLAW_TOKEN: "token-of-the-gateway",
	XWORKMATE_DISCORD_TOKEN: "token-of-the-bot",
	ANTHROPIC_OAUTH_TOKEN: "token-of-a-subscription",
	ANTHROPIC_API_KEY: "key-of-anthropic",
	OPENAI_API_KEY: "key-of-a-server",
};

it("knows every secret of the environment, so that no log that is shown has one, and names settings without their values", () => {
	const host = windowHost({
		settings: readSettings({ ...secrets, XWORKMATE_HOME: "/home/me/.xworkmate" }),
		url: () => "http://127.0.0.1:8788",
		running: { pid: 4711 },
		bridge: () => undefined,
	});
	expect([...host.secrets].sort()).toEqual(Object.values(secrets).sort());
	const shown = JSON.stringify(host.settings());
	expect(shown).toContain("XWORKMATE_DISCORD_TOKEN");
	for (const secret of Object.values(secrets)) expect(shown).not.toContain(secret);
});
