import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type VaultFixture, vaultFixture, writeFile } from "./artifact-store-fixture.ts";

const FROM = 1_700_000_000_000;
const TO = FROM + 60_000;

function put(path: string, modifiedMs: number, content = "x"): void {
	writeFile(path, content);
	utimesSync(path, modifiedMs / 1000, modifiedMs / 1000);
}

async function outcome(fixture: VaultFixture, request: Parameters<VaultFixture["collect"]>[0]) {
	const { items, rejected } = await fixture.collect({ window: { from: FROM, to: TO }, ...request });
	return { accepted: items.map((item) => item.relativePath), rejected };
}

describe("directories besides the scope", () => {
	it("[T4-33] [T4-32] counts only what the run's tools named, while other runs are active", async () => {
		await using fixture = await vaultFixture();
		const media = fixture.elsewhere;
		for (const name of ["named.png", "sub/named too.png", "other run.png"]) put(join(media, name), FROM + 1);
		const namedPaths = new Set([join(media, "named.png"), `${media}/./sub/../sub/named too.png`, "/nowhere/x", "a\0b"]);
		expect(await outcome(fixture, { extraDirectories: [media], namedPaths })).toEqual({
			accepted: ["named.png", "sub/named too.png"],
			rejected: [{ path: "other run.png", reason: "unattributed" }],
		});
	});

	it("[T4-33] counts what was modified while the run ran alone, both ends included, and nothing else", async () => {
		await using fixture = await vaultFixture();
		const times = { "before.txt": FROM - 1, "first.txt": FROM, "last.txt": TO, "after.txt": TO + 2 };
		for (const [name, time] of Object.entries(times)) put(join(fixture.elsewhere, name), time);
		expect(await outcome(fixture, { extraDirectories: [fixture.elsewhere], exclusive: true })).toEqual({
			accepted: ["first.txt", "last.txt"],
			rejected: [
				{ path: "after.txt", reason: "unattributed" },
				{ path: "before.txt", reason: "unattributed" },
			],
		});
	});

	it("knows a named path by its folder's real place", async () => {
		await using fixture = await vaultFixture();
		put(join(fixture.elsewhere, "a.txt"), FROM - 1);
		symlinkSync(fixture.elsewhere, join(fixture.scope, "..", "media"));
		const namedPaths = new Set([join(fixture.scope, "..", "media", "a.txt")]);
		expect(await outcome(fixture, { extraDirectories: [fixture.elsewhere], namedPaths })).toMatchObject({ accepted: ["a.txt"] });
	});

	it("gives way to the scope where names collide, and to the directory named before", async () => {
		await using fixture = await vaultFixture();
		const [first, second] = [join(fixture.elsewhere, "1"), join(fixture.elsewhere, "2")];
		fixture.write("report.md", "the scope's");
		for (const directory of [first, second]) for (const name of ["Report.md", "chart.svg"]) put(join(directory, name), FROM, directory);
		const request = { extraDirectories: [first, second], exclusive: true };
		expect(await outcome(fixture, request)).toEqual({
			accepted: ["chart.svg", "report.md"],
			rejected: [
				{ path: "Report.md", reason: "name_collision" },
				{ path: "Report.md", reason: "name_collision" },
				{ path: "chart.svg", reason: "name_collision" },
			],
		});
		expect(await fixture.stored({ ...request, window: { from: FROM, to: TO } })).toEqual({
			"chart.svg": first,
			"report.md": "the scope's",
		});
	});

	it("looks at each file once: the scope, nested directories and the bridge's own folders are left out", async () => {
		await using fixture = await vaultFixture();
		const workspace = join(fixture.scope, "..");
		fixture.write("from scope.txt");
		put(join(workspace, "out", "deep", "a.txt"), FROM);
		put(join(workspace, ".xworkmate", "tasks", "t", "r", "earlier.txt"), FROM);
		const extraDirectories = [join(workspace, "out", "deep"), workspace, join(workspace, "out"), fixture.scope, join(fixture.scope, "x")];
		expect(await outcome(fixture, { extraDirectories, exclusive: true })).toEqual({
			accepted: ["from scope.txt", "out/deep/a.txt"],
			rejected: [],
		});
	});

	it("refuses a directory that is a link, and does without one that is missing", async () => {
		await using fixture = await vaultFixture();
		put(join(fixture.elsewhere, "secret.txt"), FROM);
		const link = join(fixture.scope, "..", "out");
		symlinkSync(fixture.elsewhere, link);
		mkdirSync(join(fixture.scope, "..", "empty"));
		const extraDirectories = [link, join(fixture.scope, "..", "missing"), join(fixture.scope, "..", "empty")];
		expect(await outcome(fixture, { extraDirectories, exclusive: true })).toEqual({
			accepted: [],
			rejected: [{ path: ".", reason: "symlink" }],
		});
	});
});
