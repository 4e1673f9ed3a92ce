import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type CommandEnd, runCommand, startCommand } from "../../support/app/command.ts";
import { readEndpoint, repositoryRoot, startBridge } from "../../support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { BareClient } from "../../support/wire/bare-client.ts";

const page = readFileSync(join(repositoryRoot, "docs", "settings.md"), "utf8");

interface Row {
	readonly variable: string;
	/** Absent for what can't be in config.json. */
	readonly key?: string;
	readonly isSecret: boolean;
	readonly default: string;
	readonly flag?: string;
	readonly isLive: boolean;
}

const code = (cell: string) => /`([^`]+)`/.exec(cell)?.[1];

/** The lines of the tables. */
const rows = page.split("\n").flatMap((line): Row[] => {
	const [variable = "", key = "", preset = "", flag = "", applies = ""] = line.split("|").slice(1, -1);
	const name = code(variable);
	if (!line.startsWith("| `XWORKMATE_") || name === undefined) return [];
	const inFile = code(key);
	const option = code(flag);
	return [
		{
			...{ variable: name, isSecret: key.includes("(secret)"), default: code(preset) ?? "", isLive: applies.includes("at once") },
			...(inFile !== undefined && { key: inFile }),
			...(option !== undefined && { flag: option }),
		},
	];
});

/** The commands and the example, as they are on the page. */
const blocks = (language: string) =>
	[...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, text = ""]) => text);

const Listed = z.object({
	settings: z.array(
		z.looseObject({
			...{ key: z.string(), name: z.string(), source: z.string(), value: z.unknown().optional() },
			form: z.looseObject({ kind: z.string(), choices: z.array(z.string()).optional() }),
		}),
	),
});

async function listed(home: TemporaryHome, env: Record<string, string> = {}) {
	const { stdout, stderr } = await runCommand(home, ["config", "list", "--json"], { env });
	if (stdout === "") throw new Error(stderr);
	return Listed.parse(JSON.parse(stdout)).settings;
}

/** What has a form of its own, so that a value of it can't be made from the kind of its form. */
const own: Readonly<Record<string, unknown>> = {
	...{ bridgeListen: "127.0.0.1:18787", appListen: "127.0.0.1:18788", webhookListen: "127.0.0.1:18789", logLevel: "warn" },
	...{ allowedHosts: ["xw.example"], allowedOrigins: ["https://xw.example"], allowedRoots: ["/srv"], defaultProvider: "script" },
	...{ openclawUrl: "ws://127.0.0.1:18790", anthropicUrl: "http://127.0.0.1:9", discordApi: "http://127.0.0.1:9" },
	...{ appUrl: "https://xw.example", bridgeUrl: "http://127.0.0.1:9", allowProviders: ["script"], allowCommands: ["npm test"] },
	...{ discordApprovers: ["100000000000000001"], discordUsers: ["100000000000000002"], discordChannels: ["100000000000000003"] },
	...{ tlsCert: "/srv/cert.pem", tlsKey: "/srv/key.pem", anthropicModel: "claude-x", openaiModel: "some-model" },
	editor: "code -g {file}:{line}",
};

type Setting = Awaited<ReturnType<typeof listed>>[number];

/** Another value than the default. */
function sample({ key, form, value }: Setting): unknown {
	if (key in own) return own[key];
	if (form.kind === "number") return Number(value) + 1;
	if (form.kind === "switch") return true;
	if (form.kind === "choice") return form.choices?.find((choice) => choice !== value);
	throw new Error(`no value for ${key}`);
}

const inText = (value: unknown): string => (Array.isArray(value) ? value.join(",") : value === true ? "1" : String(value));

const failed = ({ code, stderr }: CommandEnd) => (code === 0 ? [] : [stderr]);

describe("docs/settings.md, tried line by line", () => {
	it("names each setting as it is, with its default", async () => {
		await using home = await temporaryHome();
		const settings = await listed(home);
		const documented = rows.filter(({ variable }) => variable !== "XWORKMATE_HOME");
		expect(documented.length).toBeGreaterThan(50);
		for (const { variable, key, default: preset, isSecret } of documented) {
			const found = settings.find(({ name }) => name === variable);
			expect([variable, found?.name]).toEqual([variable, variable]);
			if (key !== undefined) expect([variable, found?.key]).toEqual([variable, key]);
			// The tests' own environment sets two addresses.
			if (isSecret || found?.source === "environment") continue;
			expect([variable, found?.value === undefined || found.value === false ? "" : inText(found.value)]).toEqual([variable, preset]);
		}
	});

	it("each key can be in config.json, and is in effect from there; a secret can't", async () => {
		await using home = await temporaryHome();
		const settings = await listed(home);
		const keys = rows.flatMap(({ key, isSecret }) => (key === undefined || isSecret ? [] : [key]));
		const values = Object.fromEntries(settings.filter(({ key }) => keys.includes(key)).map((one) => [one.key, sample(one)]));
		expect(Object.keys(values).toSorted()).toEqual(keys.toSorted());
		writeFileSync(join(home.xworkmate, "config.json"), JSON.stringify(values));
		const now = await listed(home);
		for (const key of keys) {
			const found = now.find((one) => one.key === key);
			if (found?.source !== "environment") expect([key, found?.source, found?.value]).toEqual([key, "file", values[key]]);
		}
		const [secret] = rows.filter(({ isSecret }) => isSecret);
		writeFileSync(join(home.xworkmate, "config.json"), JSON.stringify({ [secret?.key ?? ""]: "hunter2hunter2" }));
		expect((await runCommand(home, ["config", "list"])).stderr + (await runCommand(home, ["config", "list"])).stdout).toContain(
			secret?.key,
		);
	});

	it("each variable counts before config.json", async () => {
		await using home = await temporaryHome();
		const settings = await listed(home);
		const named = rows.filter(({ variable, isSecret }) => !isSecret && !["XWORKMATE_HOME", "XWORKMATE_TOKEN"].includes(variable));
		const env = Object.fromEntries(
			named.flatMap(({ variable }) => {
				const found = settings.find(({ name }) => name === variable);
				return found === undefined ? [] : [[variable, inText(sample(found))]];
			}),
		);
		const now = await listed(home, env);
		expect(now.filter(({ name, source }) => name in env && source !== "environment").map(({ name }) => name)).toEqual([]);
	});

	it("its example is a config.json, and its commands do what they are for", async () => {
		await using home = await temporaryHome();
		const [example = ""] = blocks("json");
		writeFileSync(join(home.xworkmate, "config.json"), example);
		const commands = blocks("sh")
			.flatMap((block) => block.split("\n"))
			.flatMap((line) => /^npm run -s xworkmate -- (config .*)$/.exec(line)?.[1] ?? []);
		expect(commands).toHaveLength(6);
		for (const command of commands) {
			const ended = await runCommand(home, command.split(" "), { env: { EDITOR: "true" } });
			expect([command, failed(ended)]).toEqual([command, []]);
		}
		const now = await listed(home);
		expect(now.find(({ key }) => key === "allowedRoots")).toMatchObject({ source: "file", value: ["/home/you/projects"] });
		// The last but two commands removed it.
		expect(now.find(({ key }) => key === "maxActiveRuns")).toMatchObject({ source: "default" });
	});

	it("each flag of a number counts before config.json", async () => {
		await using home = await temporaryHome();
		const given = numbersOf(await listed(home)).filter(({ flag }) => flag !== undefined);
		expect(given.length).toBeGreaterThan(15);
		writeFileSync(join(home.xworkmate, "config.json"), JSON.stringify({ maxActiveRuns: 9 }));
		const flags = given.flatMap(({ flag = "", value }) => [flag, String(value)]);
		const command = startCommand(home, ["bridge", "--", ...flags]);
		try {
			const endpoint = await waitUntil("the bridge", 30_000, async () => (await readEndpoint(home)) ?? undefined);
			const token = readFileSync(join(home.xworkmate, "bridge", "token"), "utf8").trim();
			const { settings } = Effective.parse(await new BareClient({ url: endpoint.url, token }).rpc("xworkmate.settings.list", {}));
			for (const { key, value } of given) {
				const found = settings.find((one) => one.key === key);
				expect([key, found?.source, found?.value]).toEqual([key, "flag", value]);
			}
		} finally {
			command.kill("SIGTERM");
			await command.ended;
		}
	});

	it("what it says applies at once does, and the rest waits for a restart", async () => {
		await using home = await temporaryHome();
		const given = numbersOf(await listed(home)).filter(({ key }) => !["appListen", "backgroundIdleMs"].includes(key));
		await using bridge = await startBridge({ home });
		writeFileSync(join(home.xworkmate, "config.json"), JSON.stringify(Object.fromEntries(given.map(({ key, value }) => [key, value]))));
		const { settings } = Effective.parse(await bridge.client().rpc("xworkmate.settings.list", {}));
		for (const { key, value, isLive } of given) {
			const found = settings.find((one) => one.key === key);
			expect([key, found?.value === value, found?.waiting === true]).toEqual([key, isLive, !isLive]);
		}
	});
});

const Effective = z.object({
	settings: z.array(
		z.looseObject({ key: z.string(), source: z.string(), value: z.unknown().optional(), waiting: z.literal(true).optional() }),
	),
});

/** The rows of the bridge's numbers, each with another value than its default. */
function numbersOf(settings: readonly Setting[]) {
	return rows.flatMap(({ variable, key, flag, isLive }) => {
		const found = settings.find(({ name }) => name === variable);
		if (key === undefined || found === undefined || found.form.kind !== "number") return [];
		return [{ key, isLive, value: sample(found), ...(flag !== undefined && { flag }) }];
	});
}
