import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { HomeLine } from "../../src/api/app-api.ts";
import { type HomeToVerify, verifyHome } from "../../src/doctor/verify-home.ts";
import { AppError } from "../../src/errors/app-error.ts";
import { temporaryHome } from "../support/temporary-home.ts";

/** A home with a file where the bridge's database would be, and a program that is told to read it. */
function scene(path: string, program: string): HomeToVerify {
	mkdirSync(join(path, "bridge"));
	writeFileSync(join(path, "bridge", "bridge.sqlite"), "");
	writeFileSync(join(path, "program.mjs"), program);
	return {
		home: path,
		ownBridge: true,
		searchPath: undefined,
		program: join(path, "program.mjs"),
		threads: () => ({ home: path, threads: [], files: { list: () => Promise.reject(new Error("none")) } }),
		receipts: async function* () {
			yield { type: "ended", result: { ok: true, runs: 0, receipts: 0, independence: "self_attested", problems: [] } };
		},
	};
}

async function findings(home: HomeToVerify, only?: "disk" | "asked") {
	const lines: HomeLine[] = await Array.fromAsync(verifyHome(home, only));
	expect(lines.at(-1)).toEqual({ type: "ended" });
	return lines.flatMap((line) => (line.type === "finding" ? [line.finding] : []));
}

const isAlive = (pid: number) => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

it("a reader that leaves ends the program that reads, which would go on for hours", async () => {
	using home = temporaryHome();
	const hangs = `console.log(JSON.stringify({ type: "progress", what: "logs", done: process.pid, of: 1 })); setInterval(() => {}, 1000);`;
	let pid = 0;
	for await (const line of verifyHome(scene(home.path, hangs))) {
		if (line.type !== "progress") continue;
		pid = line.done;
		if (pid > 0) break;
	}
	expect(pid).toBeGreaterThan(0);
	expect(isAlive(pid)).toBe(false);
});

it("what could not be read to its end is a problem, also if nothing wrong was found before", async () => {
	using home = temporaryHome();
	const [found] = await findings(scene(home.path, 'throw new TypeError("it broke")'), "disk");
	expect(found).toMatchObject({
		about: "logs",
		state: "problem",
		message: "The bridge's logs and stored files couldn't be read completely. TypeError: it broke",
	});
});

it.each(['throw new TypeError("it broke")', "x".repeat(20)])(
	"recommends no restore before another try if it could not read: %j",
	async (program) => {
		using home = temporaryHome();
		const [found] = await findings(scene(home.path, program), "disk");
		expect(found?.fix).toMatch(/^Verify again\. If the problem is still reported, restore a backup: .*restore FILE --replace$/);
	},
);

it("why the program that reads could not be started is said", async () => {
	using home = temporaryHome();
	const place = scene(home.path, "");
	const { execPath } = process;
	process.execPath = join(home.path, "gone");
	try {
		const [found] = await findings(place, "disk");
		expect(found).toMatchObject({
			about: "logs",
			state: "problem",
			message: `The bridge's logs and stored files couldn't be read completely. Error: spawn ${join(home.path, "gone")} ENOENT`,
		});
	} finally {
		process.execPath = execPath;
	}
});

it("a program that the system refuses to start at once is a problem with its reason, too", async () => {
	using home = temporaryHome();
	const [found] = await findings({ ...scene(home.path, ""), searchPath: "x".repeat(200_000) }, "disk");
	expect(found?.message).toBe("The bridge's logs and stored files couldn't be read completely. Error: spawn E2BIG");
});

it("without a free file descriptor, the verification ends with the reason, and its process goes on", () => {
	using home = temporaryHome();
	scene(home.path, "");
	const module = fileURLToPath(new URL("../../src/doctor/verify-disk.ts", import.meta.url));
	const verify = `import { openSync } from "node:fs";
		const { verifyDisk } = await import(${JSON.stringify(module)});
		const left = new AbortController();
		const home = { home: ${JSON.stringify(home.path)}, ownBridge: true, searchPath: undefined, stop: left.signal };
		try { for (;;) openSync("/dev/null"); } catch {}
		for await (const { finding } of verifyDisk(home)) if (finding?.about === "logs") console.log(finding.message);
		left.abort();`;
	const script = 'ulimit -n 100; exec "$0" --disable-warning=ExperimentalWarning --input-type=module -e "$1"';
	const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", script, process.execPath, verify], { encoding: "utf8", timeout: 50_000 });
	expect([status, stderr]).toEqual([0, ""]);
	expect(stdout).toMatch(/couldn't be read completely\. Error: spawn .* EMFILE\n$/);
}, 60_000);

it("a database of another version is not called verified", async () => {
	using home = temporaryHome();
	const [found, ...others] = await findings(scene(home.path, 'console.log(JSON.stringify({ type: "otherVersion" }))'), "disk");
	expect(found).toMatchObject({ about: "logs", state: "note", message: expect.stringContaining("were not verified") });
	expect(others).toEqual([]);
});

it("names the first of many damaged files, and counts the rest", async () => {
	using home = temporaryHome();
	const many = `for (let n = 0; n < 60; n++) console.log(JSON.stringify({ type: "problem", what: "files", message: n + " is missing" }));
		console.log(JSON.stringify({ type: "ended", runs: 1, plans: 0, events: 3, files: 60, bytes: 0, records: 0,
			problems: { logs: 0, files: 1200, changes: 0 } }));`;
	const found = await findings(scene(home.path, many), "disk");
	expect(found.filter(({ state }) => state === "problem")).toHaveLength(51);
	expect(found).toContainEqual({ about: "stored files", state: "problem", message: "1150 more, not listed here." });
	expect(found).toContainEqual({ about: "logs", state: "ok", message: "3 events of 1 run, with no gaps." });
});

it("says that the records of changes were not verified if there is no git, which it looks for where it is told", async () => {
	using home = temporaryHome();
	const none = `const records = process.argv[3] === "/nowhere" ? null : 2;
		console.log(JSON.stringify({ type: "ended", runs: 1, plans: 0, events: 3, files: 0, bytes: 0, records,
			problems: { logs: 0, files: 0, changes: 0 } }));`;
	const place = scene(home.path, none);
	const about = "records of changes";
	const changes = async (searchPath: string) => {
		const found = await findings({ ...place, searchPath }, "disk");
		return found.filter((finding) => finding.about === about);
	};
	expect(await changes("/nowhere")).toMatchObject([{ state: "note", message: expect.stringContaining("was not verified, because git") }]);
	expect(await changes("/bin")).toMatchObject([{ state: "ok", message: expect.stringContaining("2 threads") }]);
});

it("says of how many threads the changes can't be listed, because something is gone, and counts only the others as usable", async () => {
	using home = temporaryHome();
	const gone = `for (const path of ["/a", "/a", "/b", "/c", "/d", "/e", "/f"]) console.log(JSON.stringify({ type: "gone", path }));
		console.log(JSON.stringify({ type: "ended", runs: 1, plans: 0, events: 3, files: 0, bytes: 0, records: 9,
			problems: { logs: 0, files: 0, changes: 0 } }));`;
	const found = await findings(scene(home.path, gone), "disk");
	expect(found.filter(({ about }) => about === "records of changes")).toMatchObject([
		{ state: "note", message: expect.stringMatching(/^What 7 threads changed can't be listed, .*: \/a, \/b, \/c, \/d, \/e and 1 more$/) },
		{ state: "ok", message: "The records of what 2 threads changed in git repositories are usable." },
	]);
});

it("of a bridge elsewhere, says where its records can be verified", async () => {
	using home = temporaryHome();
	const found = await findings({ ...scene(home.path, ""), ownBridge: false }, "disk");
	expect(found).toMatchObject([{ state: "note", message: expect.stringContaining("does not belong to this data folder") }]);
});

it("receipts that the bridge can't verify are not called whole", async () => {
	using home = temporaryHome();
	const receipts = async function* () {
		yield { type: "progress", receipts: 1, of: 2 } as const;
		throw new AppError("BRIDGE_NOT_RUNNING", "It is away.", "Start it.");
	};
	const found = await findings({ ...scene(home.path, ""), receipts }, "asked");
	expect(found).toContainEqual({
		about: "receipts",
		state: "problem",
		message: "The receipts were not verified: It is away. (BRIDGE_NOT_RUNNING)",
		fix: "Start it.",
	});
});

it("a file that was damaged, one that is gone and a damaged attachment are named with their paths", async () => {
	using home = temporaryHome();
	const place = scene(home.path, "");
	const blobs = join(home.path, "app", "blobs");
	mkdirSync(blobs, { recursive: true });
	writeFileSync(join(blobs, "a".repeat(64)), "not these bytes");
	const file = (relativePath: string, state: "checked" | "edited" | "missing" | "replaced") => ({
		relativePath,
		state,
		mediaType: "text/plain",
	});
	let files = [file("a.txt", "edited"), file("b.txt", "missing"), file("c.txt", "checked"), file("d.txt", "replaced")];
	let current = true;
	const list = async () => ({ folder: "/threads/one", runs: [{ files, current }] });
	const threadId = ThreadId.parse("one");
	const verified = (lifecycleStatus: "ready" | "archived") => {
		const threads = () => ({ home: home.path, threads: [{ threadId, lifecycleStatus }], files: { list: list as never } });
		return findings({ ...place, threads }, "asked");
	};
	const found = await verified("ready");
	const problems = found.filter(({ state }) => state === "problem");
	expect(problems.map(({ message }) => message)).toEqual([
		"/threads/one/a.txt differs from the file that was saved there. It was edited, or it is damaged.",
		"/threads/one/b.txt is missing. It was moved or removed, or it could not be saved.",
		`${join(blobs, "a".repeat(64))}, a file attached to a message, is damaged.`,
	]);
	expect(found.some(({ about, state }) => about === "thread files" && state === "ok")).toBe(false);
	const fixOf = async (lifecycleStatus: "ready" | "archived", name: string) =>
		(await verified(lifecycleStatus)).find(({ message }) => message.includes(name))?.fix;
	const restored = (lifecycleStatus: "ready" | "archived") => fixOf(lifecycleStatus, "b.txt is missing");
	const more = " (this also replaces other edited files of the thread's last run, and keeps your versions in .versions/)";
	expect(await restored("ready")).toBe(`Restore it${more}: npm run -s xworkmate -- sync one`);
	const unless = "If you edited it, there is nothing to do. If not, move the file elsewhere, then restore it";
	expect(await fixOf("ready", "a.txt differs")).toBe(`${unless}: npm run -s xworkmate -- sync one`);
	files = [...files, file("e.txt", "edited")];
	expect(await fixOf("ready", "a.txt differs")).toBe(`${unless}${more}: npm run -s xworkmate -- sync one`);
	// A restore leaves files of earlier runs alone.
	current = false;
	expect(await restored("ready")).toBe("Restore it: npm run -s xworkmate -- sync one");
	// The files of an archived thread can't be downloaded.
	const both = "npm run -s xworkmate -- threads restore one && npm run -s xworkmate -- sync one";
	expect(await restored("archived")).toBe(`Restore it: ${both}`);
});
