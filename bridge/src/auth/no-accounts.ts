import { ContractError } from "@xworkmate/contracts";
import type { AccountService, Accounts } from "../ports/accounts.ts";

const none = () => Promise.reject(new ContractError("METHOD_NOT_FOUND"));

/** A bridge without accounts. */
export const noAccounts: AccountService = {
	list: async () => ({ profiles: [] }),
	set: none,
	order: none,
	remove: none,
	test: none,
};

/** What a turn of the assistant finds in it. */
export const noUsableAccounts: Accounts = {
	open: async () => ({ code: "PROVIDER_AUTH_REQUIRED", message: "The assistant has no account for a model yet." }),
	providers: async () => [],
};
