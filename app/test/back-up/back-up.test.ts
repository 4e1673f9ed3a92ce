import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { isPutBack } from "@xworkmate/platform/files";
import Database from "better-sqlite3";
import { pack } from "tar-stream";
import { describe, expect, it } from "vitest";
import { isSafePath } from "../../src/back-up/backup-format.ts";
import { restoreBackup } from "../../src/back-up/restore-backup.ts";
import { writeBackup } from "../../src/back-up/write-backup.ts";
import { restoreCommand } from "../../src/cli/app/backup-commands.ts";
import { ownAppHome } from "../../src/store/app-home.ts";
import { RecordingConsole } from "../support/recording-console.ts";
import { temporaryHome } from "../support/temporary-home.ts";

const nothing = (): void => undefined;

class Place implements Disposable {
	readonly #folder = temporaryHome();
	readonly home = this.at("home");
	readonly file = this.at("a.backup");

	at(name: string): string {
		return join(this.#folder.path, name);
	}

	/** A home with a database, a file of a thread, a program, a secret, and what belongs to a process. */
	fill(): this {
		for (const folder of ["app", "threads/one", "agents/goose/1.0.0", "bridge/edits/one/repository-1/refs/heads"])
			mkdirSync(join(this.home, folder), { recursive: true });
		const db = new Database(join(this.home, "app", "app.sqlite"));
		db.pragma("journal_mode = WAL");
		db.exec("CREATE TABLE threads (title TEXT); INSERT INTO threads VALUES ('kept')");
		db.close();
		writeFileSync(join(this.home, "threads", "one", "report.md"), "# hello");
		writeFileSync(join(this.home, "threads", "one", "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
		writeFileSync(join(this.home, "threads", "one", "empty"), "");
		writeFileSync(join(this.home, "app", "token"), "secret", { mode: 0o600 });
		writeFileSync(join(this.home, "app", "endpoint.json"), "{}");
		writeFileSync(join(this.home, "bridge", "agent-tests.json"), "{}");
		writeFileSync(join(this.home, "agents", "goose", "1.0.0", "goose.js"), "1");
		symlinkSync("/etc/passwd", join(this.home, "threads", "one", "link"));
		return this;
	}

	write(file = this.file) {
		return writeBackup({ home: this.home, file, version: "1.0.0", onFile: nothing });
	}

	restore(file = this.file, { home = this.at("again"), replace = false, stop = new AbortController().signal, onFile = nothing } = {}) {
		return restoreBackup({ file, home, replace, stop, onFile });
	}

	[Symbol.dispose](): void {
		this.#folder[Symbol.dispose]();
	}
}

/** A backup made by hand. */
async function archive(file: string, entries: readonly (readonly [string, string])[], type: "file" | "symlink" = "file") {
	const tar = pack();
	for (const [name, text] of entries) {
		if (type === "symlink" && name.startsWith("home/")) tar.entry({ name, type, linkname: "/etc/passwd" });
		else tar.entry({ name }, text);
	}
	tar.finalize();
	const pieces: Uint8Array[] = [];
	for await (const piece of Readable.from(tar)) pieces.push(piece);
	writeFileSync(file, gzipSync(Buffer.concat(pieces)));
}

const about = ["about.json", JSON.stringify({ xworkmateBackup: 1, version: "1", createdAt: "2026-01-01T00:00:00.000Z" })] as const;

describe("a backup", () => {
	it("has every file, and puts each back as it was", async () => {
		using place = new Place().fill();
		const written = await place.write();
		expect(written).toMatchObject({ leftOut: ["threads/one/link"], changed: [] });
		expect(statSync(place.file).mode & 0o777).toBe(0o600);
		const { files, former } = await place.restore();
		expect(former).toBeUndefined();
		expect(files).toBe(written.files);
		const again = place.at("again");
		expect(readFileSync(join(again, "threads/one/report.md"), "utf8")).toBe("# hello");
		expect(readFileSync(join(again, "app/token"), "utf8")).toBe("secret");
		expect(statSync(join(again, "app/token")).mode & 0o777).toBe(0o600);
		expect(statSync(join(again, "threads/one/run.sh")).mode & 0o777).toBe(0o700);
		expect(statSync(join(again, "threads/one/empty")).size).toBe(0);
		// git does not take a folder without it for a repository.
		expect(existsSync(join(again, "bridge/edits/one/repository-1/refs/heads"))).toBe(true);
		const db = new Database(join(again, "app", "app.sqlite"), { readonly: true });
		expect(db.prepare("SELECT title FROM threads").pluck().all()).toEqual(["kept"]);
		db.close();
		expect(existsSync(join(again, "app", "endpoint.json"))).toBe(false);
		// An agent that was tested on this computer has not been tested on the next one.
		expect(existsSync(join(again, "bridge", "agent-tests.json"))).toBe(false);
		expect(existsSync(join(again, "agents"))).toBe(false);
		expect(isPutBack(join(again, "app"))).toBe(true);
		expect(readdirSync(place.at("."))).toEqual(["a.backup", "again", "home"]);
	});

	it("is refused where a file is already, inside the home, and of no home", async () => {
		using place = new Place().fill();
		writeFileSync(place.file, "mine");
		await expect(place.write()).rejects.toMatchObject({ code: "INVALID_INPUT", message: expect.stringContaining("already exists") });
		expect(readFileSync(place.file, "utf8")).toBe("mine");
		await expect(place.write(join(place.home, "b.backup"))).rejects.toMatchObject({ message: expect.stringContaining("inside") });
		await expect(place.write(place.at("no/b.backup"))).rejects.toMatchObject({ message: expect.stringContaining("no folder") });
		expect(readdirSync(place.at("."))).toEqual(["a.backup", "home"]);
	});

	it("that was cut anywhere or changed anywhere changes nothing, and says so", async () => {
		using place = new Place().fill();
		await place.write();
		const whole = readFileSync(place.file);
		const plain = gunzipSync(whole);
		const cuts = [0, 1, 10, 100, whole.length >> 1, whole.length - 9, whole.length - 1].map((length) => whole.subarray(0, length));
		const shorter = [512, 1024, plain.length >> 1].map((length) => gzipSync(plain.subarray(0, length)));
		const at = plain.indexOf("# hello");
		const altered = Buffer.from(plain);
		altered.write("# hallo", at);
		const longer = ["x", "\0", plain.subarray(0, 600)].map((more) => Buffer.concat([whole, Buffer.from(more)]));
		for (const bytes of [...cuts, ...shorter, ...longer, gzipSync(altered)]) {
			const file = place.at("b.backup");
			writeFileSync(file, bytes);
			await expect(place.restore(file), `${bytes.length} bytes`).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
			expect(existsSync(place.at("again"))).toBe(false);
		}
		expect(readdirSync(place.at("."))).toEqual(["a.backup", "b.backup", "home"]);
	});

	it.each([
		["home/../outside", "file"],
		["home//etc/passwd", "file"],
		["../outside", "file"],
		["home/link", "symlink"],
	] as const)("that names %s as a %s is refused", async (name, type) => {
		using place = new Place();
		// As it would be listed if it were taken for a file.
		const text = type === "file" ? "x" : "";
		const files = [{ path: name.slice("home/".length), sizeBytes: text.length, sha256: hash("sha256", text) }];
		await archive(place.file, [about, [name, text], ["files.json", JSON.stringify({ files })]], type);
		await expect(place.restore()).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
		expect(readdirSync(place.at("."))).toEqual(["a.backup"]);
	});

	it("with a file that its list does not name, or that it names twice, is refused", async () => {
		using place = new Place();
		const none = ["files.json", JSON.stringify({ files: [] })] as const;
		await archive(place.file, [about, ["home/a", "x"], none]);
		await expect(place.restore()).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
		await archive(place.file, [about, ["home/a", "x"], ["home/a", "y"], none]);
		await expect(place.restore()).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
		await archive(place.file, [about, none, ["home/a", "x"]]);
		await expect(place.restore()).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
		await archive(place.file, [["about.json", JSON.stringify({ xworkmateBackup: 2 })], none]);
		await expect(place.restore()).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
	});

	it("of an earlier version, which lists no empty folders, is restored without its tests of agents; a folder elsewhere is refused", async () => {
		using place = new Place();
		const listed = (...paths: readonly string[]) => paths.map((path) => ({ path, sizeBytes: 1, sha256: hash("sha256", "x") }));
		const files = listed("a");
		const more = listed("a", "app/restored", "bridge/agent-tests.json");
		const entries = more.map(({ path }) => [`home/${path}`, "x"] as const);
		await archive(place.file, [about, ...entries, ["files.json", JSON.stringify({ files: more })]]);
		expect(await place.restore()).toMatchObject({ files: 2 });
		expect(existsSync(place.at("again/bridge/agent-tests.json"))).toBe(false);
		expect(isPutBack(place.at("again/app"))).toBe(true);
		for (const path of ["../outside", "a/b", "/etc/xworkmate"]) {
			const list = ["files.json", JSON.stringify({ files, emptyFolders: [path] })] as const;
			await archive(place.file, [about, ["home/a", "x"], list]);
			await expect(place.restore(place.file, { home: place.at("other") }), path).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
		}
		expect(readdirSync(place.at(".")).toSorted()).toEqual(["a.backup", "again"]);
	});

	it("that is stopped while it is restored leaves nothing behind", async () => {
		using place = new Place().fill();
		await place.write();
		const stop = new AbortController();
		const reason = new Error("Ctrl+C");
		const restoring = place.restore(place.file, { stop: stop.signal, onFile: () => void stop.abort(reason) });
		await expect(restoring).rejects.toBe(reason);
		expect(readdirSync(place.at("."))).toEqual(["a.backup", "home"]);
	});

	it("removes what killed restores into the same home have left, and nothing else", async () => {
		using place = new Place().fill();
		await place.write();
		const ended = spawnSync(process.execPath, ["--version"]).pid;
		const others = [`.again-restoring-${process.pid}-abcdef`, `.home-restoring-${ended}-abcdef`, ".again-restoring-mine"];
		for (const name of [...others, `.again-restoring-${ended}-abcdef`]) {
			mkdirSync(place.at(name));
			writeFileSync(join(place.at(name), "token"), "secret");
		}
		// An earlier version did not name the process.
		const unnamed = [".again-restoring-oldold", ".again-restoring-newnew"];
		for (const name of unnamed) mkdirSync(place.at(name));
		const longAgo = new Date(Date.now() - 48 * 60 * 60_000);
		utimesSync(place.at(".again-restoring-oldold"), longAgo, longAgo);
		expect(await place.restore()).toMatchObject({ leftovers: 2 });
		expect(readdirSync(place.at(".")).toSorted()).toEqual([...others, ".again-restoring-newnew", "a.backup", "again", "home"].toSorted());
	});

	it("restored into a home of your own says which home to start, what was removed, and after Ctrl+C that nothing was restored", async () => {
		using place = new Place().fill();
		await place.write();
		const ended = spawnSync(process.execPath, ["--version"]).pid;
		mkdirSync(place.at(`.again-restoring-${ended}-abcdef`));
		const home = place.at("again");
		const stop = new AbortController();
		const said = new RecordingConsole();
		const deps = { home, version: "1.0.0", console: said, isOtherHome: true, runningApp: async () => undefined, stop: stop.signal };
		expect(await restoreCommand(deps, place.file, { replace: false, json: false })).toBe(0);
		expect(said.lines.at(-1)).toBe(`Start XWorkmate, with XWORKMATE_HOME=${home}: npm start`);
		expect(said.lines.join("\n")).toContain("Removed an unfinished copy");
		// It has no bridge, which would have the plans.
		expect(said.lines.join("\n")).not.toContain("plans");
		stop.abort();
		expect(await restoreCommand(deps, place.file, { replace: true, json: false })).toBe(5);
		expect(said.notes).toEqual(["Stopped. Nothing was restored."]);
	});

	it("that can't be read is not called damaged", async () => {
		using place = new Place().fill();
		await expect(place.restore(place.home)).rejects.toMatchObject({ code: "INVALID_INPUT", message: `${place.home} is not a file.` });
		const absent = place.at("no");
		await expect(place.restore(absent)).rejects.toMatchObject({ code: "INVALID_INPUT", message: `There is no file ${absent}.` });
	});

	it("that could not be moved into place is not called damaged, and the former home is where it was", async () => {
		using place = new Place().fill();
		const files = [{ path: "a", sizeBytes: 1, sha256: hash("sha256", "x") }];
		await archive(place.file, [about, ["home/a", "x"], ["files.json", JSON.stringify({ files })]]);
		const onFile = () => {
			for (const name of readdirSync(place.at("."))) if (name.includes("-restoring-")) rmSync(place.at(name), { recursive: true });
		};
		for (const home of [place.at("again"), place.home])
			await expect(place.restore(place.file, { home, replace: true, onFile })).rejects.toMatchObject({
				code: "HOME_NOT_WRITABLE",
				message: `The backup was unpacked and checked, but ${home} could not be replaced (ENOENT).`,
				fix: expect.stringContaining("Nothing was restored."),
			});
		expect(readFileSync(join(place.home, "threads/one/report.md"), "utf8")).toBe("# hello");
		expect(readdirSync(place.at(".")).toSorted()).toEqual(["a.backup", "home"]);
	});

	it("that the system keeps from being unpacked is not called damaged", async () => {
		using place = new Place().fill();
		await place.write();
		const onFile = () => {
			for (const name of readdirSync(place.at("."))) {
				if (name.includes("-restoring-")) rmSync(place.at(name), { recursive: true });
				if (name.includes("-restoring-")) symlinkSync(place.at(name), place.at(name));
			}
		};
		await expect(place.restore(place.file, { onFile })).rejects.toMatchObject({ code: "ELOOP" });
	});

	it("is refused while XWorkmate uses the home, with how it runs and how to stop it", async () => {
		using place = new Place().fill();
		await place.write();
		using _owned = ownAppHome(place.home);
		const refused = async (runsAs?: "service" | "background") => {
			const process = { pid: 4711, ...(runsAs && { runsAs }), version: "1" };
			const runningApp = async () => (runsAs === undefined ? undefined : { process });
			const stop = new AbortController().signal;
			const deps = { home: place.home, version: "1", console: new RecordingConsole(), isOtherHome: false, runningApp, stop };
			return await restoreCommand(deps, place.file, { replace: true, json: false }).catch((error: unknown) => error);
		};
		expect(await refused("service")).toMatchObject({
			code: "APP_HOME_IN_USE",
			message: `XWorkmate is using ${place.home}. Running as a service (process 4711).`,
			fix: expect.stringContaining("service uninstall"),
		});
		expect(await refused("background")).toMatchObject({ fix: expect.stringContaining(" stop") });
		expect(await refused()).toMatchObject({ code: "APP_HOME_IN_USE", message: expect.stringContaining("isn't responding") });
	});

	it("takes the place of a home only when asked to, and the former one is kept", async () => {
		using place = new Place().fill();
		await place.write();
		writeFileSync(join(place.home, "threads", "one", "report.md"), "newer");
		await expect(place.restore(place.file, { home: place.home })).rejects.toMatchObject({ code: "INVALID_INPUT" });
		expect(readFileSync(join(place.home, "threads/one/report.md"), "utf8")).toBe("newer");
		const { former = "" } = await place.restore(place.file, { home: place.home, replace: true });
		expect(readFileSync(join(place.home, "threads/one/report.md"), "utf8")).toBe("# hello");
		expect(readFileSync(join(former, "threads/one/report.md"), "utf8")).toBe("newer");
	});
});

it.each(["", "/a", "a/", "a//b", ".", "..", "a/../b", "a/./b", "a\0b"])("%j is no path below a home", (path) => {
	expect(isSafePath(path)).toBe(false);
});
