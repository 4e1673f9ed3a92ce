/**
 * An agent's requests about one call. Requests that are open at the same time are treated as one question: the call may be made as soon as
 * one of them is allowed, and is denied once all are answered and none was allowed.
 */
export interface JointRequests<Denial> {
	/** For each open request: true if another one was allowed while it was open. The denial of such a request decides nothing. */
	readonly open: ReadonlyMap<string, boolean>;
	/** The first denial by the user while other requests were open. A request that ended without an answer is not kept here. */
	readonly denied?: Denial;
}

export const noRequests: JointRequests<never> = { open: new Map() };

export function withRequest<Denial>(joint: JointRequests<Denial>, id: string): JointRequests<Denial> {
	return joint.open.has(id) ? joint : { ...joint, open: new Map(joint.open).set(id, false) };
}

export function withPermission<Denial>({ open }: JointRequests<Denial>, id: string): JointRequests<Denial> {
	return { open: new Map([...open.keys()].filter((other) => other !== id).map((other) => [other, true])) };
}

/**
 * `isLapse`: the request ended without the user's answer. `decides`: the denial that settles the call, which is the user's denial if the
 * user denied any of its requests; absent if the call was allowed or still may be.
 */
export function withDenial<Denial>(
	joint: JointRequests<Denial>,
	id: string,
	denial: Denial,
	isLapse: boolean,
): { readonly joint: JointRequests<Denial>; readonly decides?: Denial } {
	const { denied } = joint;
	const open = new Map(joint.open);
	open.delete(id);
	if (joint.open.get(id) === true) return { joint: { ...joint, open } };
	const own = isLapse ? (denied ?? denial) : denial;
	if (![...open.values()].includes(false)) return { joint: { open }, decides: own };
	const held = denied ?? (isLapse ? undefined : denial);
	return { joint: { open, ...(held !== undefined && { denied: held }) } };
}

/** True while the agent is waiting for permission to make the call. */
export function isAsked({ open }: JointRequests<unknown> = noRequests): boolean {
	return [...open.values()].includes(false);
}
