import { useEffect, useRef } from "react";
import type { BridgeView } from "../../api/ui-api.ts";
import { words } from "../../strings/interface.ts";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";

/** Announces when the app or the bridge stops responding and when it responds again, and when an attempt to reconnect has failed. */
export function useConnectionNotices(): void {
	const { app, state, link, announce } = useApp();
	const now = state === "gone" ? words.bridge.appGone : sayBridge(app.bridge);
	const before = useRef(now);
	useEffect(() => {
		if (before.current === now) return;
		announce(now ?? words.bridge.back);
		before.current = now;
	}, [now, announce]);
	const failed = useStore(link.failedTries);
	const known = useRef(failed);
	useEffect(() => {
		if (failed > known.current) announce(words.bridge.stillGone);
		known.current = failed;
	}, [failed, announce]);
}

/** What is wrong with the bridge, without the numbers that change while it is being restarted; undefined if nothing is wrong. */
export function sayBridge({ state, trouble }: BridgeView): string | undefined {
	if (trouble?.what === "silent") return trouble.own ? words.bridge.silentOwn : words.bridge.silent;
	if (trouble !== undefined) return words.bridge.restarting;
	return state === "connected" || state === "starting" ? undefined : words.bridge[state];
}
