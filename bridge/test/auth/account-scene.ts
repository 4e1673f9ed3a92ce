import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Variables } from "../../src/auth/environment-accounts.ts";
import { openAccounts } from "../../src/auth/open-accounts.ts";
import type { Probe } from "../../src/auth/test-account.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { FakeClock } from "../ports/fake-clock.ts";

export const setupToken = `sk-ant-oat01-${"Abc-_9".repeat(14)}`;
export const apiKey = `sk-ant-api03-${"Xyz-_7".repeat(14)}`;

/** The accounts of a fresh home, with a real store. */
export class AccountScene implements Disposable {
	readonly home = mkdtempSync(join(tmpdir(), "accounts "));
	readonly clock = new FakeClock();
	readonly secrets = new Set<string>();
	readonly unsaved: unknown[] = [];
	/** How often an account was stored, or passed its test. */
	usable = 0;
	probe: Probe = async () => undefined;
	readonly #environment: Variables;
	readonly #isOwnAddress: boolean;
	#store = openSqliteStore(this.home);
	#opened = this.#open();

	constructor(environment: Variables = {}, isOwnAddress = true) {
		this.#environment = environment;
		this.#isOwnAddress = isOwnAddress;
		this.#opened = this.#open();
	}

	get file(): string {
		return join(this.home, "auth-profiles.json");
	}

	get accounts() {
		return this.#opened.accounts;
	}

	get service() {
		return this.#opened.service;
	}

	get stored(): string | undefined {
		return existsSync(this.file) ? readFileSync(this.file, "utf8") : undefined;
	}

	/** What a person writes with an editor. */
	write(content: unknown, mode = 0o600): void {
		writeFileSync(this.file, typeof content === "string" ? content : JSON.stringify(content));
		chmodSync(this.file, mode);
	}

	/** Another bridge of the same home. */
	restart(): void {
		this.#store.close();
		this.#store = openSqliteStore(this.home);
		this.#opened = this.#open();
	}

	/** A run's accounts. @throws if there are none */
	async open(model = "m", provider: "anthropic" | "openai" = "anthropic", pinned?: string) {
		const opened = await this.accounts.open(provider, model, pinned);
		if ("code" in opened) throw new Error(`${opened.code} ${opened.message}`);
		return opened;
	}

	/** The account that a run would get now, or the code and words of the refusal. */
	async first(model = "m", provider: "anthropic" | "openai" = "anthropic", pinned?: string): Promise<string> {
		const opened = await this.accounts.open(provider, model, pinned);
		return "code" in opened ? `${opened.code}: ${opened.message}` : opened.current.profileId;
	}

	[Symbol.dispose](): void {
		this.#store.close();
		rmSync(this.home, { recursive: true });
	}

	#open() {
		return openAccounts({
			home: this.home,
			environment: this.#environment ?? {},
			store: this.#store.accounts,
			clock: this.clock,
			isOwnAddress: this.#isOwnAddress,
			probe: (account, signal) => this.probe(account, signal),
			onUnsaved: (error) => this.unsaved.push(error),
			onUsable: () => {
				this.usable += 1;
			},
			onSecrets: (secrets) => {
				for (const secret of secrets) this.secrets.add(secret);
			},
		});
	}
}

/** Stored keys, in this order. */
export function storedKeys(...names: readonly string[]) {
	const profiles = Object.fromEntries(names.map((name) => [`anthropic:${name}`, { type: "api_key", key: `sk-ant-key-of-${name}` }]));
	return { version: 1, profiles, order: { anthropic: names.map((name) => `anthropic:${name}`) } };
}
