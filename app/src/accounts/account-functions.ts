import type { AccountFunctions } from "../api/methods.ts";
import type { BridgeClient } from "../bridge-client/index.ts";

export function accountFunctions(client: BridgeClient): AccountFunctions {
	return {
		accounts: () => client.call("xworkmate.auth.list", {}),
		setAccount: (account) => client.call("xworkmate.auth.set", account),
		orderAccounts: (order) => client.call("xworkmate.auth.order", order),
		removeAccount: (account) => client.call("xworkmate.auth.remove", account),
		testAccount: (account) => client.call("xworkmate.auth.test", account),
	};
}
