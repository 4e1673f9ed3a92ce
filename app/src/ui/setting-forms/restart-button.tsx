import type { ProviderCapability } from "@xworkmate/contracts";
import { useState } from "react";
import type { ThreadSummary } from "../../api/ui-api.ts";
import { fill } from "../../strings/interface.ts";
import { settingFormWords as words } from "../../strings/settings/setting-form-words.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { callApp } from "../connection/call-app.ts";
import { Store, useStore } from "../connection/store.ts";
import { useApp, useProviders } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";

/** True during a restart that this page requested. */
export const bridgeRestart = new Store(false);

interface RestartButtonProps {
	/** The button's label if the bridge is not running. */
	readonly startWord?: string;
	/** Called once the bridge has been restarted. */
	after?(): Promise<void>;
}

/** Restarts the bridge. Asks first if that may interrupt runs. */
export function RestartButton({ startWord, after }: RestartButtonProps) {
	const { threads, bridge } = useApp().app;
	const isRestarting = useStore(bridgeRestart);
	const providers = useProviders();
	const [isAsking, setAsking] = useState(false);
	const restart = async () => {
		if (bridgeRestart.value) return;
		bridgeRestart.set(true);
		await attempt(async () => {
			await callApp("restartBridge", {});
			await after?.();
		});
		bridgeRestart.set(false);
	};
	// A bridge that has ended has no runs that a restart could interrupt.
	const isThere = bridge.state === "connected" || bridge.trouble?.what === "silent";
	const count = isThere ? countRuns(threads, providers) : 0;
	const press = () => {
		if (isRestarting) return;
		if (count > 0) setAsking(true);
		else void restart();
	};
	const { one, many } = words.restartAsk.say;
	return (
		<>
			<button type="button" className="btn" aria-disabled={isRestarting} onClick={press}>
				{isRestarting ? words.restarting : isThere ? words.restart : (startWord ?? words.restart)}
			</button>
			<ConfirmDialog
				isOpen={isAsking}
				title={words.restartAsk.title}
				say={count === 1 ? one : fill(many, { count })}
				cancel={words.restartAsk.cancel}
				word={words.restart}
				isDanger
				confirm={() => void restart()}
				close={() => setAsking(false)}
			/>
		</>
	);
}

/** The number of active runs that a restart may interrupt. Runs of a gateway and of the assistant continue. */
function countRuns(threads: readonly ThreadSummary[], providers: readonly ProviderCapability[]): number {
	const goesOn = ({ target, own }: ProviderCapability) => target === "gateway" || own === "agent";
	return threads.filter(({ lastTurn, pendingTurnId, providerId }) => {
		if (lastTurn?.status !== "running" || lastTurn.turnId !== pendingTurnId) return false;
		const provider = providers.find((one) => one.providerId === providerId);
		return provider === undefined || !goesOn(provider);
	}).length;
}
