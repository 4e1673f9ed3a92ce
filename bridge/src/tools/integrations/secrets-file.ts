import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { formatBytes } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { READ_FILE } from "@xworkmate/platform/files";
import { z } from "zod";

const MAX_BYTES = 256 * 1024;
const OTHERS = constants.S_IRWXG | constants.S_IRWXO;
const Secrets = z.record(z.string().max(200), z.string().min(1).max(16_384));

/** A secret is not available. The message says why, and never contains a value. */
export class SecretMissing extends Error {
	override readonly name = "SecretMissing";
	readonly code = "SECRET_MISSING";
}

/** The secrets of tools: `secrets.json` in the home, `{"name": "value"}`, where `"env:NAME"` names an environment variable. */
export class SecretsFile {
	readonly #path: string;
	readonly #environment: Readonly<Record<string, string | undefined>>;

	constructor(path: string, environment: Readonly<Record<string, string | undefined>>) {
		this.#path = path;
		this.#environment = environment;
	}

	/**
	 * The current values of these names.
	 * @throws SecretMissing
	 */
	async read(names: readonly string[]): Promise<Readonly<Record<string, string>>> {
		if (names.length === 0) return {};
		const all = await this.#all(names);
		return Object.fromEntries(names.map((name) => [name, this.#value(name, all.get(name))]));
	}

	#value(name: string, entry: string | undefined): string {
		if (entry === undefined) throw new SecretMissing(`The secret "${name}" is missing. Add it to ${this.#path}.`);
		if (!entry.startsWith("env:")) return entry;
		const variable = entry.slice("env:".length);
		const value = this.#environment[variable];
		if (value) return value;
		throw new SecretMissing(
			`The secret "${name}" is missing: the bridge's environment variable ${variable} is empty or not set. Set it and restart the bridge.`,
		);
	}

	async #all(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
		try {
			await using file = await open(this.#path, READ_FILE);
			const stat = await file.stat();
			if (!stat.isFile() || stat.size > MAX_BYTES)
				throw new SecretMissing(`${this.#path} is not a regular file of at most ${formatBytes(MAX_BYTES)}, so it can't hold secrets.`);
			if (process.platform !== "win32" && (stat.mode & OTHERS) !== 0) {
				throw new SecretMissing(`Other users have access to ${this.#path}. Run: chmod 600 "${this.#path}"`);
			}
			const parsed = Secrets.safeParse(JSON.parse(await file.readFile("utf8")));
			if (!parsed.success)
				throw new SecretMissing(`${this.#path} must have the form {"name": "value"}, with values of 1 to 16,384 characters.`);
			return new Map(Object.entries(parsed.data));
		} catch (error) {
			if (error instanceof SecretMissing) throw error;
			if (systemErrorCode(error) === "ENOENT") {
				throw new SecretMissing(
					`The secret "${names[0]}" is missing. Create ${this.#path} with {"${names[0]}": "..."} and run: chmod 600 "${this.#path}"`,
				);
			}
			// The parser's message would quote the text, which contains secrets.
			const why = error instanceof SyntaxError ? "it is not JSON" : (systemErrorCode(error) ?? "it can't be read");
			throw new SecretMissing(`${this.#path} can't be used: ${why}.`);
		}
	}
}
