import { ContractError, type Unavailable } from "@xworkmate/contracts";
import { KeptFile } from "./kept-file.ts";
import { noStoredAccounts, StoredAccounts } from "./stored-accounts.ts";

export const ACCOUNTS_FILE = "auth-profiles.json";

export type ReadAccounts =
	| { readonly kind: "accounts"; readonly accounts: StoredAccounts }
	/** The file was left as it was. */
	| { readonly kind: "unusable"; readonly problem: Unavailable };

/** The accounts file, `<home>/auth-profiles.json`. */
export class AccountsFile {
	readonly #file: KeptFile<StoredAccounts>;

	/** @param owner the user who has to own the file */
	constructor(path: string, owner: number | undefined = process.getuid?.()) {
		const code = "ACCOUNTS";
		const again = "add the accounts again";
		this.#file = new KeptFile({ path, schema: StoredAccounts, empty: noStoredAccounts, code, again, owner, refusal: accountsDamaged });
	}

	read(): ReadAccounts {
		const read = this.#file.read();
		return read.kind === "unusable" ? read : { kind: "accounts", accounts: read.content };
	}

	/**
	 * Replaces the accounts with what `change` returns. The new accounts are on the disk when the call returns.
	 * @throws ContractError ACCOUNTS_DAMAGED, and what `change` throws
	 */
	change(change: (accounts: StoredAccounts) => StoredAccounts): StoredAccounts {
		return this.#file.change(change);
	}

	/** Removes the temporary files of bridges that were killed while replacing the accounts file. */
	removeLeftovers(): void {
		this.#file.removeLeftovers();
	}
}

/** The refusal to change a file that cannot be used. */
export function accountsDamaged({ message, fix }: Unavailable): ContractError {
	return new ContractError("ACCOUNTS_DAMAGED", { detail: message, fix });
}
