import { type Approval, type ApprovalDecision, ContractError } from "@xworkmate/contracts";

const done: Readonly<Record<ApprovalDecision, string>> = {
	allow_once: "allowed once",
	allow_window: "allowed for a limited time",
	deny: "denied",
};

/** Says which decisions a request accepts. An agent's request can't be allowed if its agent offers no way to allow it only once. */
export function notOffered(options: Approval["options"]): ContractError {
	const ways = new Intl.ListFormat("en", { type: "disjunction" }).format(options.map((option) => done[option]));
	const detail = `This request can only be ${ways}.`;
	const isForDenialOnly = options.every((option) => option === "deny");
	const fix = isForDenialOnly
		? "Its agent offers no way to allow it only once, so deny it or let it expire."
		: "Answer it in one of these ways, or let it expire.";
	return new ContractError("INVALID_PARAMS", { detail, fix });
}
