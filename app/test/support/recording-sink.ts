import {
	type ArtifactScope,
	type RunId,
	SessionId,
	type SessionUpdate,
	type Snapshot,
	type SubmitParams,
	ThreadId,
	TurnId,
} from "@xworkmate/contracts";
import type { Connection, TurnPosition, TurnSink, UpdateItem } from "../../src/bridge-client/index.ts";

/** A turn that keeps what it is told. */
export class RecordingSink implements TurnSink {
	readonly threadId = ThreadId.parse("draft:sink");
	readonly turnId = TurnId.parse("turn-1");
	readonly seen: UpdateItem[] = [];
	readonly handles: Snapshot[] = [];
	readonly connections: Connection[] = [];
	cancelRequested = false;
	runId: RunId | undefined;
	scope: ArtifactScope | undefined;
	lastSeq = 0;

	get params(): SubmitParams {
		const { threadId, turnId } = this;
		return { sessionId: SessionId.parse(threadId), threadId, turnId, prompt: "do it", routing: { executionTarget: "agent" } };
	}

	/** The updates that would be shown. */
	get shown(): SessionUpdate[] {
		return this.seen.flatMap(({ update }) => (update === undefined ? [] : [update]));
	}

	position(): TurnPosition {
		const { lastSeq, cancelRequested, runId, scope } = this;
		return { lastSeq, cancelRequested, ...(runId && { runId }), ...(scope && { artifactScope: scope }) };
	}

	updates(items: readonly UpdateItem[]): void {
		for (const item of items) {
			this.seen.push(item);
			this.lastSeq = item.place.seq;
			this.runId = item.place.runId;
			this.scope = item.place.artifactScope;
		}
	}

	handle(snapshot: Snapshot): void {
		this.handles.push(snapshot);
		this.runId = snapshot.runId;
		this.scope = snapshot.artifactScope;
	}

	connection(change: Connection): void {
		this.connections.push(change);
	}
}
