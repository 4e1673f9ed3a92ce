import type { Integration, IntegrationState } from "@xworkmate/contracts";

const order: readonly IntegrationState[] = ["failed", "unaccepted", "active"];

/** Integrations that need the user come first. Otherwise, they are sorted by name. */
export function inOrder(integrations: readonly Integration[]): readonly Integration[] {
	return integrations.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || (a.integration < b.integration ? -1 : 1));
}

/** Replaces one integration with its new state, or adds it if it is not in the list. */
export function withOne(integrations: readonly Integration[], changed: Integration): readonly Integration[] {
	const others = integrations.filter(({ integration }) => integration !== changed.integration);
	return inOrder([...others, changed]);
}
