import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { repositoryRoot } from "../repository.ts";

const MOST_BYTES = 4_000_000;
const CALLED = /^(?:import|export)\b.* from "(\.[^"]+)"|(?<!\{ ?)import\("(\.[^"]+)"\)|new URL\("([^"]+)", import\.meta\.url\)/gm;

interface Packed {
	readonly bytes: Buffer;
	readonly files: ReadonlyMap<string, Buffer>;
}

let folder: string;
let packed: Packed;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "pack-"));
	packed = await pack("first");
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

async function pack(name: string): Promise<Packed> {
	const script = join(repositoryRoot, "scripts", "pack.ts");
	const { stdout } = await promisify(execFile)(process.execPath, [script, "--into", join(folder, name)], { cwd: tmpdir() });
	const bytes = await readFile(stdout.trim().split("\n").at(-1) ?? "");
	return { bytes, files: await unpacked(bytes) };
}

async function unpacked(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
	const archive = extract();
	archive.end(gunzipSync(bytes));
	const files = new Map<string, Buffer>();
	for await (const entry of archive) {
		const parts: Buffer[] = [];
		for await (const part of entry) parts.push(Buffer.from(part as Uint8Array));
		files.set(entry.header.name, Buffer.concat(parts));
	}
	return files;
}

const text = (name: string) => packed.files.get(`package/${name}`)?.toString("utf8") ?? "";
const programs = () => [...packed.files].filter(([name]) => /^package\/(?:programs|dist\/ui)\/.*\.(?:js|html)$/.test(name));

test("two builds of the same sources are the same bytes, at most 4 MB", async () => {
	const again = await pack("second");
	const hashes = [packed, again].map(({ bytes }) => createHash("sha256").update(bytes).digest("hex"));
	expect(hashes[1]).toBe(hashes[0]);
	expect(packed.bytes.length).toBeLessThanOrEqual(MOST_BYTES);
}, 60_000);

test("each program finds what it imports and starts", () => {
	const missing = programs().flatMap(([name, bytes]) =>
		[...bytes.toString("utf8").matchAll(CALLED)]
			.map(([, imported, loaded, place]) => posix.join(posix.dirname(name), imported ?? loaded ?? place ?? ""))
			.filter((path) => path.endsWith(".js") || path.endsWith(".sh"))
			.filter((path) => name.startsWith("package/programs/") && !packed.files.has(path))
			.map((path) => `${name}: ${path}`),
	);
	expect(missing).toEqual([]);
	for (const program of ["xworkmate", "bridge", "check-tools", "tool-host", "program-host", "compiler-host", "copy-worker", "check-file"])
		expect([...packed.files.keys()]).toContain(`package/programs/${program}.js`);
});

test("an installed package names commands as they are typed where it is installed", () => {
	const wrong = programs().filter(([, bytes]) => /npm run -s xworkmate|npm start\b/.test(bytes.toString("utf8")));
	expect(wrong.map(([name]) => name)).toEqual([]);
});

test("nothing in it names a folder of the machine that built it", () => {
	const naming = [...packed.files].filter(([, bytes]) => bytes.includes(repositoryRoot));
	expect(naming.map(([name]) => name)).toEqual([]);
});

test("the bill of materials and the licences name every package inside", () => {
	const { components } = JSON.parse(text("sbom.cdx.json")) as { components: { name: string; version: string }[] };
	const named = components.map(({ name, version }) => `${name} ${version}`);
	expect(named).toEqual(expect.arrayContaining([expect.stringMatching(/^fastify 5/), expect.stringMatching(/^react 19/)]));
	const licences = text("THIRD-PARTY-LICENSES.txt");
	expect(named.filter((name) => !licences.includes(`${name} (`))).toEqual([]);
});

test("its dependencies are exact versions of what can't be bundled", () => {
	const { dependencies, bundleDependencies } = JSON.parse(text("package.json")) as Record<string, Record<string, string>>;
	expect(Object.keys(dependencies ?? {}).sort()).toEqual(
		["@types/node", "@xworkmate/tool", "better-sqlite3", "quickjs-wasi", "tinypool", "typescript", "zod"].sort(),
	);
	expect(Object.values(dependencies ?? {}).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
	expect(bundleDependencies).toEqual(["@xworkmate/tool"]);
});
