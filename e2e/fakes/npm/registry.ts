import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";

export interface Package {
	readonly name: string;
	readonly version: string;
	readonly files: Readonly<Record<string, string>>;
	readonly bin?: Readonly<Record<string, string>> | undefined;
	readonly scripts?: Readonly<Record<string, string>> | undefined;
	readonly dependencies?: Readonly<Record<string, string>> | undefined;
}

interface Kept {
	readonly manifest: Readonly<Record<string, unknown>>;
	readonly published: Package;
	readonly bytes: Buffer;
}

/** Packages as npm's registry describes and serves them. */
export class Registry {
	/** By name, then by version. */
	readonly #packages = new Map<string, Map<string, Kept>>();

	/** Returns the hash of its bytes. */
	async publish(published: Package): Promise<string> {
		const { name, version, bin, scripts, dependencies } = published;
		const manifest = { name, version, ...(bin && { bin }), ...(scripts && { scripts }), ...(dependencies && { dependencies }) };
		const bytes = await tarballOf(manifest, published.files);
		const versions = this.#packages.get(name) ?? new Map<string, Kept>();
		this.#packages.set(name, versions.set(version, { manifest, published, bytes }));
		return hashOf(bytes);
	}

	/** What is at `<name>/-/<file>.tgz`. */
	tarball(path: string): Buffer | undefined {
		return this.#at(path)?.bytes;
	}

	/** Another package than the one that is described. */
	async altered(path: string): Promise<Buffer> {
		const kept = this.#at(path);
		return tarballOf({ ...kept?.manifest }, { ...kept?.published.files, "altered.txt": "altered\n" });
	}

	describe(name: string, origin: string, hasHash: boolean): object | undefined {
		const versions = this.#packages.get(name);
		if (versions === undefined) return undefined;
		const described = [...versions].map(([version, { manifest, bytes }]) => {
			const tarball = `${origin}/${name}/-/${fileOf(name, version)}`;
			const hasScripts = manifest.scripts !== undefined;
			const hash = hasHash ? { integrity: hashOf(bytes), shasum: createHash("sha1").update(bytes).digest("hex") } : {};
			return [version, { ...manifest, ...(hasScripts && { hasInstallScript: true }), dist: { tarball, ...hash } }] as const;
		});
		const latest = described.at(-1)?.[0];
		return { name, "dist-tags": { latest }, versions: Object.fromEntries(described) };
	}

	#at(path: string): Kept | undefined {
		const [name = "", file] = path.split("/-/");
		return [...(this.#packages.get(name) ?? [])].find(([version]) => fileOf(name, version) === file)?.[1];
	}
}

function fileOf(name: string, version: string): string {
	return `${name.split("/").at(-1)}-${version}.tgz`;
}

function hashOf(bytes: Buffer): string {
	return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}

async function tarballOf(manifest: object, files: Readonly<Record<string, string>>): Promise<Buffer> {
	const archive = pack();
	archive.entry({ name: "package/package.json" }, JSON.stringify(manifest));
	for (const [path, text] of Object.entries(files)) archive.entry({ name: `package/${path}`, mode: 0o755 }, text);
	archive.finalize();
	return gzipSync(await buffer(archive));
}
