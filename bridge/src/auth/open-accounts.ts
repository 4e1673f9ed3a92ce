import { join } from "node:path";
import type { Clock } from "../ports/clock.ts";
import type { AccountStore } from "../ports/models/account-store.ts";
import type { AccountService, Accounts } from "../ports/models/accounts.ts";
import { AccountMethods } from "./account-methods.ts";
import { AccountStates } from "./account-states.ts";
import { ACCOUNTS_FILE, AccountsFile } from "./accounts-file.ts";
import type { Variables } from "./environment-accounts.ts";
import { knownAccounts } from "./known-accounts.ts";
import { RunAccountsOpener } from "./run-accounts.ts";
import { storedSecrets } from "./stored-accounts.ts";
import { accountTest, type Probe } from "./test-account.ts";

export interface AccountsOptions {
	readonly home: string;
	readonly environment: Variables;
	readonly store: AccountStore;
	readonly clock: Clock;
	/** True if Anthropic's own address is used. */
	readonly isOwnAddress: boolean;
	readonly probe: Probe;
	/** Receives the secrets whenever the file is read, before anything uses them. */
	readonly onSecrets: (secrets: readonly string[]) => void;
	/** Called when the state of an account could not be written. */
	readonly onUnsaved: (error: unknown) => void;
	/** Called after an account is stored or passes its test. */
	readonly onUsable: () => void;
}

export interface OpenedAccounts {
	readonly accounts: Accounts;
	readonly service: AccountService;
	/** Reads the file, so that secrets that the user wrote into it are redacted. */
	readonly learnSecrets: () => void;
}

/** Opens the accounts of the home and of the environment. */
export function openAccounts(options: AccountsOptions): OpenedAccounts {
	const { home, environment, store, clock, isOwnAddress, probe, onSecrets, onUnsaved, onUsable } = options;
	const file = new AccountsFile(join(home, ACCOUNTS_FILE));
	file.removeLeftovers();
	const read = () => {
		const found = file.read();
		if (found.kind === "accounts") {
			const used = knownAccounts(found.accounts, environment).flatMap(({ credential }) => credential?.secret ?? []);
			onSecrets([...storedSecrets(found.accounts), ...used]);
		}
		return found;
	};
	const states = new AccountStates(store, clock, onUnsaved);
	const parts = { read, environment, states, clock };
	const testAccount = accountTest(probe, states, clock);
	return {
		accounts: new RunAccountsOpener(parts),
		service: new AccountMethods({ ...parts, file, isOwnAddress, testAccount, onUsable }),
		learnSecrets: () => void read(),
	};
}
