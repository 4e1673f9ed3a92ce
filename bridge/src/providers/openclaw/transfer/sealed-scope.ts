import {
	artifactsDigest,
	caseFold,
	compareBytes,
	OpenClawArtifact,
	type OpenClawRunRef,
	omitUndefined,
	openClawMethods,
	type RejectedArtifact,
} from "@xworkmate/contracts";
import { z } from "zod";
import type { GatewayConnection } from "../gateway/gateway-connection.ts";
import { GatewayProtocolError } from "../gateway/gateway-error.ts";

/** As many entries as the artifact store examines for one run. The plugin seals far fewer files, so a longer list is a fault in the plugin. */
const MAX_ITEMS = 200_000;
const PAGE = 1_000;
const SHOWN_PATH = 1_024;

// The items are parsed one by one, so that an invalid name does not invalidate the others.
const Page = openClawMethods["xworkmate.artifacts.export"].result.extend({ items: z.array(z.unknown()) });
const Nameless = z.object({ relativePath: z.string() });

/** The manifest of a run's sealed scope. */
export interface SealedScope {
	/** Each path appears once, even on a disk that ignores case. */
	readonly items: readonly OpenClawArtifact[];
	readonly rejected: readonly RejectedArtifact[];
}

/**
 * Reads all pages of a sealed scope's manifest.
 * @throws GatewayRefusal with the plugin's code; GatewayLost; GatewayProtocolError if the pages do not form one manifest; the
 * reason of `stop`
 */
export async function readSealedScope(connection: GatewayConnection, ref: OpenClawRunRef, stop: AbortSignal): Promise<SealedScope> {
	const listed: unknown[] = [];
	for (let afterPath: string | undefined; ; ) {
		const params = { ...ref, limit: PAGE, ...omitUndefined({ afterPath }) };
		const answer = await connection.persist((link) => link.call("xworkmate.artifacts.export", params), stop);
		const page = Page.safeParse(answer);
		if (!page.success) throw new GatewayProtocolError("the plugin's manifest does not follow its contract");
		listed.push(...page.data.items);
		const last = Nameless.safeParse(page.data.items.at(-1)).data?.relativePath;
		if (page.data.complete || last === undefined || listed.length > MAX_ITEMS) return checked(listed, page.data);
		if (afterPath !== undefined && compareBytes(last, afterPath) <= 0)
			throw new GatewayProtocolError("a page of the plugin's manifest doesn't follow the one before it");
		afterPath = last;
	}
}

function checked(listed: readonly unknown[], { digest, rejected }: z.infer<typeof Page>): SealedScope {
	const refused: RejectedArtifact[] = [...rejected];
	const items: OpenClawArtifact[] = [];
	const taken = new Set<string>();
	for (const value of listed) {
		const item = OpenClawArtifact.safeParse(value);
		if (!item.success) refused.push({ path: shownPath(value), reason: "unsafe_name" });
		else if (taken.has(caseFold(item.data.relativePath))) refused.push({ path: item.data.relativePath, reason: "name_collision" });
		else {
			taken.add(caseFold(item.data.relativePath));
			items.push(item.data);
		}
	}
	// If no item was refused, the digest shows whether the list is exactly what was sealed.
	if (items.length === listed.length && artifactsDigest(items) !== digest)
		throw new GatewayProtocolError("the plugin's manifest does not match its digest");
	return { items, rejected: refused };
}

function shownPath(value: unknown): string {
	const path = Nameless.safeParse(value).data?.relativePath ?? "(no name)";
	return path.slice(0, SHOWN_PATH).toWellFormed();
}
