import type { MethodName, MethodParams, MethodResult } from "@xworkmate/contracts";

type Call<M extends MethodName> = (params: MethodParams<M>) => Promise<MethodResult<M>>;

/** The methods for agents. Every refusal is a ContractError. */
export interface AgentService {
	list: Call<"xworkmate.agents.list">;
	install: Call<"xworkmate.agents.install">;
	update: Call<"xworkmate.agents.update">;
	cancel: Call<"xworkmate.agents.cancel">;
	remove: Call<"xworkmate.agents.remove">;
	test: Call<"xworkmate.agents.test">;
	check: Call<"xworkmate.agents.check">;
	signIn: Call<"xworkmate.agents.signIn">;
	terminal: Call<"xworkmate.agents.terminal">;
}
