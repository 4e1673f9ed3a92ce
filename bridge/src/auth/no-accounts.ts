import { ContractError } from "@xworkmate/contracts";
import type { AccountService } from "../ports/accounts.ts";

const none = () => Promise.reject(new ContractError("METHOD_NOT_FOUND"));

/** A bridge without accounts. */
export const noAccounts: AccountService = {
	list: async () => ({ profiles: [] }),
	set: none,
	order: none,
	remove: none,
	test: none,
};
