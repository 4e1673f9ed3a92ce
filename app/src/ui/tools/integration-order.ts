import type { Integration, IntegrationState } from "@xworkmate/contracts";

const order: readonly IntegrationState[] = ["failed", "unaccepted", "active"];

/** What needs the user comes first; otherwise by name. */
export function inOrder(integrations: readonly Integration[]): readonly Integration[] {
	return integrations.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || (a.integration < b.integration ? -1 : 1));
}

/** With one integration's new state; as it is if it is not among them. */
export function withOne(integrations: readonly Integration[], changed: Integration): readonly Integration[] {
	const others = integrations.filter(({ integration }) => integration !== changed.integration);
	return inOrder([...others, changed]);
}
