import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limits } from "@xworkmate/contracts";
import { originOf, bridgeSettings as settings } from "@xworkmate/platform/settings";
import { describe, expect, it } from "vitest";
import { loadAccessToken, prepareHome } from "../../src/config/access-token.ts";
import { ConfigError } from "../../src/config/config-error.ts";
import { readConfig } from "./read-config.ts";

function refusal(env: Record<string, string>, argv: readonly string[] = []): ConfigError {
	try {
		readConfig(env, argv);
	} catch (error) {
		if (error instanceof ConfigError) return error;
		throw error;
	}
	throw new Error("nothing was refused");
}

async function temporaryFolder() {
	const path = await mkdtemp(join(tmpdir(), "config-"));
	return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

describe("settings", () => {
	it("stand at the contract's defaults when nothing is set", () => {
		const config = readConfig({ HOME: "/home/ann", PATH: "/bin" }, []);
		expect(config).toMatchObject({
			home: "/home/ann/.xworkmate",
			bridgeHome: "/home/ann/.xworkmate/bridge",
			listen: { host: "127.0.0.1", port: 8787 },
			loopback: true,
			allowedHosts: [],
			logLevel: "info",
			runLimits: { approvalMs: limits.approvalMs, cancelConfirmMs: limits.cancelConfirmMs, stopMs: limits.stopMs },
		});
		expect(config).not.toHaveProperty("token");
		expect(config.heartbeatMs).toBeLessThanOrEqual(limits.heartbeatMs);
	});

	it("come from the environment, and from flags before it; an empty variable is unset", () => {
		const env = {
			XWORKMATE_BRIDGE_LISTEN: "127.0.0.1:1",
			XWORKMATE_MAX_ACTIVE_RUNS: "7",
			XWORKMATE_TOKEN: "",
			XWORKMATE_RUN_BUDGET_MS: "",
		};
		const config = readConfig(env, ["--bridge-listen", "[::1]:0", "--allowed-hosts=a.example,B.example"]);
		expect(config.listen).toEqual({ host: "::1", port: 0 });
		expect(config.runLimits.maxActiveRuns).toBe(7);
		expect(config.allowedHosts).toEqual(["a.example", "b.example"]);
		expect(config.token).toBeUndefined();
	});

	it("takes the variables of the app, which shares the environment", () => {
		const env = { XWORKMATE_APP_LISTEN: "127.0.0.1:1", XWORKMATE_BRIDGE_URL: "http://x", XWORKMATE_ARTIFACT_DIRECTORY: "/x" };
		expect(readConfig(env, []).loopback).toBe(true);
	});

	it("are documented, each with a flag unless it is a secret", () => {
		for (const { name, meaning } of settings) expect([name, meaning.endsWith(".")]).toEqual([name, true]);
		expect(settings.filter(({ flag }) => flag === undefined).map(({ name }) => name)).toEqual([
			"XWORKMATE_TOKEN",
			"XWORKMATE_OPENCLAW_TOKEN",
			"XWORKMATE_DISCORD_TOKEN",
		]);
	});

	it.each([
		["XWORKMATE_HOEM", "XWORKMATE_HOME"],
		["XWORKMATE_ALLOWED_HOST", "XWORKMATE_ALLOWED_HOSTS"],
		["XWORKMATE_TOKN", "XWORKMATE_TOKEN"],
	])("refuse the misspelled %s with the nearest right name", (wrong, right) => {
		const { message, fix } = refusal({ [wrong]: "x" });
		expect([message, fix]).toEqual([`${wrong} is not an XWorkmate setting.`, `Did you mean ${right}?`]);
	});

	it.each([
		["XWORKMATE_BRIDGE_LISTEN", "8787"],
		["XWORKMATE_BRIDGE_LISTEN", "127.0.0.1:70000"],
		["XWORKMATE_BRIDGE_LISTEN", "[zz]:1"],
		["XWORKMATE_HOME", "relative"],
		["XWORKMATE_MAX_ACTIVE_RUNS", "0"],
		["XWORKMATE_MAX_ACTIVE_RUNS", "1e3"],
		["XWORKMATE_HEARTBEAT_MS", "15001"],
		["XWORKMATE_ALLOWED_HOSTS", "a.example:80"],
		["XWORKMATE_ALLOWED_ORIGINS", "https://a.example/path"],
		["XWORKMATE_ALLOWED_ROOTS", "src"],
		["XWORKMATE_DEFAULT_PROVIDER", "No Such"],
		["XWORKMATE_TLS_PROXY", "yes"],
		["XWORKMATE_LOG_LEVEL", "loud"],
	])("refuse %s=%s by name", (name, value) => {
		expect(refusal({ [name]: value }).message.startsWith(`${name} `)).toBe(true);
	});

	it("say how the items of a list are separated in a variable", () => {
		expect(refusal({ XWORKMATE_ALLOWED_HOSTS: "a.example:80" }).fix).toMatch(/; comma-separated\.$/);
		expect(refusal({ XWORKMATE_ALLOWED_ROOTS: "src" }).fix).toMatch(/; separated like PATH\.$/);
	});

	it.each(["127.0.0.1:18789", "localhost:18789", "gateway"])("say what an address of the gateway looks like: %s", (url) => {
		expect(refusal({ XWORKMATE_OPENCLAW_URL: url }).message).toBe(
			"XWORKMATE_OPENCLAW_URL must be an address such as ws://127.0.0.1:18789.",
		);
	});

	it("know the flag or variable that sets the gateway's address and token", () => {
		const { setBy } = readConfig({ XWORKMATE_OPENCLAW_TOKEN: "t" }, ["--openclaw-url", "ws://127.0.0.1:1"]).openclaw;
		expect(setBy).toEqual({ url: "--openclaw-url", token: "XWORKMATE_OPENCLAW_TOKEN" });
	});

	it("never repeat a secret", () => {
		const { message, fix } = refusal({ XWORKMATE_TOKEN: "sécret" });
		expect(`${message}${fix}`).not.toContain("sécret");
	});

	it("refuse an unknown flag and a secret on the command line", () => {
		expect(refusal({}, ["--listen", "x"]).message).toContain("--listen");
		expect(refusal({}, ["--token", "x"]).message).toContain("--token");
	});
});

describe("beyond loopback", () => {
	const open = { XWORKMATE_BRIDGE_LISTEN: "0.0.0.0:8787" };
	const token = { XWORKMATE_TOKEN: "0123456789abcdef" };

	it("needs a token that a person chose and cannot be guessed", () => {
		expect(refusal({ ...open, XWORKMATE_TLS_PROXY: "1" }).fix).toBe("Set XWORKMATE_TOKEN.");
		expect(refusal({ ...open, XWORKMATE_TLS_PROXY: "1", XWORKMATE_TOKEN: "short" }).message).toContain("guessed");
	});

	it("needs TLS or the word that a proxy ends it", () => {
		expect(refusal({ ...open, ...token }).message).toContain("TLS");
		expect(refusal({ ...token, XWORKMATE_BRIDGE_LISTEN: "bridge.example:1" }).message).toContain("TLS");
		expect(refusal({ XWORKMATE_TLS_CERT: "/c" }).fix).toContain("XWORKMATE_TLS_KEY");
		expect(readConfig({ ...open, ...token, XWORKMATE_TLS_PROXY: "1" }, []).loopback).toBe(false);
		expect(readConfig({ ...open, ...token, XWORKMATE_TLS_CERT: "/c", XWORKMATE_TLS_KEY: "/k" }, []).tls).toEqual({
			certFile: "/c",
			keyFile: "/k",
		});
	});

	it.each(["127.0.0.1:1", "127.9.9.9:1", "localhost:1", "[::1]:1"])("does not begin at %s", (listen) => {
		expect(readConfig({ XWORKMATE_BRIDGE_LISTEN: listen }, []).loopback).toBe(true);
	});
});

it.each([
	["127.0.0.1", false, "http://127.0.0.1:9"],
	["0.0.0.0", true, "https://127.0.0.1:9"],
	["::", false, "http://[::1]:9"],
	["bridge.example", true, "https://bridge.example:9"],
])("is reached from this machine when it listens on %s", (host, isTls, origin) => {
	expect(originOf(host, 9, isTls)).toBe(origin);
});

describe("the token file", () => {
	it("is made once, for its owner alone, in a home for its owner alone", async () => {
		await using folder = await temporaryFolder();
		const home = join(folder.path, "a b", "home");
		await prepareHome(home);
		const bridgeHome = join(home, "bridge");
		const tokens = await Promise.all([1, 2, 3, 4].map(() => loadAccessToken(bridgeHome)));
		expect(new Set(tokens).size).toBe(1);
		expect(Buffer.from(tokens[0] ?? "", "base64url")).toHaveLength(32);
		expect((await stat(join(bridgeHome, "token"))).mode & 0o777).toBe(0o600);
		for (const path of [home, bridgeHome]) expect((await stat(path)).mode & 0o777).toBe(0o700);
		expect((await readFile(join(bridgeHome, "token"), "utf8")).trim()).toBe(tokens[0]);
	});

	it("closes a home that was open", async () => {
		await using folder = await temporaryFolder();
		await chmod(folder.path, 0o755);
		await prepareHome(folder.path);
		expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
	});

	it("is refused when others can read it, when it is a link, or holds no token", async () => {
		await using folder = await temporaryFolder();
		const path = join(folder.path, "token");
		await writeFile(path, "0123456789abcdef", { mode: 0o644 });
		await expect(loadAccessToken(folder.path)).rejects.toThrow(ConfigError);
		await chmod(path, 0o600);
		expect(await loadAccessToken(folder.path)).toBe("0123456789abcdef");
		await writeFile(path, " \n");
		await expect(loadAccessToken(folder.path)).rejects.toThrow("contains no valid token");
		await rm(path);
		await symlink("/etc/hostname", path);
		await expect(loadAccessToken(folder.path)).rejects.toThrow(ConfigError);
	});
});
