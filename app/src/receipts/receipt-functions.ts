import type { ExportLine, VerificationLine } from "../api/app-api.ts";
import type { ReceiptFunctions } from "../api/methods.ts";
import type { ArtifactDownload, BridgeClient, ReceiptsOf } from "../bridge-client/index.ts";

interface ReceiptParts {
	readonly client: BridgeClient;
	readonly source: Pick<ArtifactDownload, "openReceipts">;
}

export function receiptFunctions({ client, source }: ReceiptParts): ReceiptFunctions {
	return {
		listReceipts: (query) => client.call("xworkmate.receipts.list", query),
		receipt: (query) => client.call("xworkmate.receipts.get", query),
		verifyReceipts: (query) => verification(client, query),
		activity: (query) => client.call("xworkmate.activity.get", query),
		exportReceipts: (of) => exportLines(source, of),
	};
}

/** If the reader leaves early, the verification ends. */
async function* verification(client: BridgeClient, query: Parameters<BridgeClient["verify"]>[0]): AsyncGenerator<VerificationLine> {
	const left = new AbortController();
	try {
		yield* client.verify(query, left.signal);
	} finally {
		left.abort();
	}
}

/** If the reader leaves early, the download ends. */
async function* exportLines(source: ReceiptParts["source"], of: ReceiptsOf): AsyncGenerator<ExportLine> {
	const left = new AbortController();
	try {
		const body = await source.openReceipts(of, left.signal);
		body.setEncoding("utf8");
		let rest = "";
		for await (const piece of body) {
			const parts = (rest + String(piece)).split("\n");
			rest = parts.pop() ?? "";
			for (const text of parts) yield { type: "line", text };
		}
		yield { type: "ended" };
	} finally {
		left.abort();
	}
}
