import { fork } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ConfigRefused, changeConfig, replaceConfig } from "../../src/settings/change-config.ts";
import { readConfigFile } from "../../src/settings/config-file.ts";

async function temporaryHome(text?: string) {
	const home = await mkdtemp(join(tmpdir(), "config-home-"));
	const path = join(home, "config.json");
	if (text !== undefined) writeFileSync(path, text);
	return { home, path, text: () => readFileSync(path, "utf8"), [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }) };
}

const refusal = (change: Promise<unknown>) =>
	change.then(
		() => undefined,
		(error: unknown) => (error instanceof ConfigRefused ? error : undefined),
	);

it("changes one member and keeps the comments and everything else", async () => {
	await using place = await temporaryHome('{\r\n\t// Mine.\r\n\t"maxQueued": 7, // seven\r\n\t"logLevel": "debug"\r\n}\r\n');
	await changeConfig(place.home, "maxQueued", 8);
	await changeConfig(place.home, "allowedRoots", ["/tmp"]);
	await changeConfig(place.home, "logLevel", undefined);
	expect(place.text()).toContain("// Mine.");
	expect(place.text()).toContain('"maxQueued": 8');
	expect(place.text()).not.toContain("logLevel");
	const { values, problems } = await readConfigFile(place.home);
	expect([problems, values.get("XWORKMATE_ALLOWED_ROOTS")?.value]).toEqual([[], ["/tmp"]]);
});

it.each(['{ "maxQueued": 8, }', '{\n\t"maxQueued": 8, // mine\n}\n', '{\n\t"maxQueued": 8 // mine, and more\n\t,\n}\n'])(
	"removes the only member with the comma after it: %j",
	async (text) => {
		await using place = await temporaryHome(text);
		await changeConfig(place.home, "maxPlans", undefined);
		expect(place.text()).toBe(text);
		await changeConfig(place.home, "maxQueued", undefined);
		expect(place.text().includes("// mine")).toBe(text.includes("// mine"));
		const { values, problems } = await readConfigFile(place.home);
		expect([problems, values.size]).toEqual([[], 0]);
	},
);

it("keeps the comma after the last member when another one is removed", async () => {
	await using place = await temporaryHome('{\n\t"maxQueued": 8,\n\t"allowedRoots": ["/a", "/b"],\n}\n');
	await changeConfig(place.home, "maxQueued", undefined);
	expect(place.text()).toContain("],\n}");
	await changeConfig(place.home, "allowedRoots", undefined);
	expect((await readConfigFile(place.home)).problems).toEqual([]);
});

it("makes the file, for its owner alone, in a home that is not there yet", async () => {
	await using place = await temporaryHome();
	const home = join(place.home, "new");
	await changeConfig(home, "maxQueued", 8);
	expect(statSync(join(home, "config.json")).mode & 0o777).toBe(0o600);
	expect(statSync(home).mode & 0o777).toBe(0o700);
});

it("loses no change of several processes that write at once, and no reader sees half a file", async () => {
	// A long file takes a while to change, so the writers do meet.
	await using place = await temporaryHome(`{\n${"\t// A comment.\n".repeat(20_000)}}\n`);
	const script = join(import.meta.dirname, "write-at-once.ts");
	const keys = ["maxQueued", "maxActiveRuns", "maxPlans"];
	const reads: ReturnType<typeof readConfigFile>[] = [];
	const writers = keys.map((key) => fork(script, [place.home, key]));
	// Each reports each of its writes, while the others go on.
	for (const writer of writers) writer.on("message", () => reads.push(readConfigFile(place.home)));
	const ends = await Promise.all(writers.map((writer) => once(writer, "exit")));
	expect(ends.map(([code]) => code)).toEqual(keys.map(() => 0));
	expect((await Promise.all(reads)).flatMap(({ problems }) => problems)).toEqual([]);
	expect(reads.length).toBeGreaterThan(0);
	const { values } = await readConfigFile(place.home);
	expect([...values.values()].map(({ value }) => value)).toEqual([20, 20, 20]);
	expect(readdirSync(place.home).sort()).toEqual(["config.json", "config.lock"]);
}, 60_000);

it.each(['{ "maxQueued": 1', "", "[]"])("leaves a damaged file as it was: %j", async (text) => {
	await using place = await temporaryHome(text);
	expect((await refusal(changeConfig(place.home, "maxQueued", 8)))?.message).toContain("config.json:1:");
	expect((await refusal(changeConfig(place.home, "maxQueued", undefined)))?.message).toContain("config.json:1:");
	expect(place.text()).toBe(text);
});

it("puts one of several wrong members right, and lets none be added", async () => {
	await using place = await temporaryHome('{ "a": 1, "b": 2 }');
	await changeConfig(place.home, "a", undefined);
	await changeConfig(place.home, "maxQueued", 8);
	expect((await readConfigFile(place.home)).problems.map(({ key }) => key)).toEqual(["b"]);
	expect((await refusal(changeConfig(place.home, "maxActiveRuns", 0)))?.message).toContain("must be a whole number from 1 to 1000");
	expect((await refusal(changeConfig(place.home, "openclawToken", "hunter2hunter2")))?.message).toContain("is a secret");
	expect(place.text()).not.toContain("hunter2");
});

it("replaces neither a link, nor what is no file, nor a text that was changed meanwhile", async () => {
	await using place = await temporaryHome();
	const elsewhere = join(place.home, "elsewhere.json");
	writeFileSync(elsewhere, "{}");
	symlinkSync(elsewhere, place.path);
	expect((await refusal(changeConfig(place.home, "maxQueued", 8)))?.message).toContain("is a link");
	expect((await readConfigFile(place.home)).problems).toEqual([]);
	await rm(place.path);
	mkdirSync(place.path);
	expect((await refusal(changeConfig(place.home, "maxQueued", 8)))?.message).toContain("it is a folder or a special file");
	await rm(place.path, { recursive: true });
	writeFileSync(place.path, '{ "maxQueued": 1 }');
	expect((await refusal(replaceConfig(place.home, "{}", "{ }")))?.message).toContain("was changed by another program");
	expect(place.text()).toBe('{ "maxQueued": 1 }');
});

it.skipIf(process.getuid?.() === 0)("leaves the file as it was in a home that can't be written", async () => {
	await using place = await temporaryHome("{}");
	chmodSync(place.home, 0o500);
	await expect(changeConfig(place.home, "maxQueued", 8)).rejects.toThrow();
	chmodSync(place.home, 0o700);
	expect(place.text()).toBe("{}");
	expect(existsSync(join(place.home, "config.lock"))).toBe(false);
});
