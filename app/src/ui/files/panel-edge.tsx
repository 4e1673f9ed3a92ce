import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { words } from "../../strings/interface.ts";
import { useStore } from "../connection/store.ts";
import { preferences, setPreferences } from "../state/preferences.ts";

const LEAST = 280;
const MOST = 1_600;
const STEP = 24;
/** The minimum width of the conversation beside the panel. */
const CONVERSATION = 360;

/** The panel's edge: dragged, or moved with the arrow keys. A double click restores the default width. */
export function PanelEdge() {
	const { panelWidth } = useStore(preferences);
	const edge = useRef<HTMLHRElement>(null);
	const [dragged, setDragged] = useState<number>();
	const [shownWidth, setShownWidth] = useState(LEAST);
	const width = dragged ?? panelWidth;
	useEffect(() => {
		const frame = edge.current?.closest<HTMLElement>(".app");
		if (width === undefined) frame?.style.removeProperty("--panel-dragged");
		else frame?.style.setProperty("--panel-dragged", `${width}px`);
		setShownWidth(widthOf(edge.current));
		return () => void frame?.style.removeProperty("--panel-dragged");
	}, [width]);
	const shown = () => widthOf(edge.current);
	const most = () => {
		const main = edge.current?.closest(".app")?.querySelector(":scope > .main");
		const room = main === null || main === undefined ? MOST : shown() + main.getBoundingClientRect().width - CONVERSATION;
		return Math.max(LEAST, Math.min(MOST, Math.floor(room)));
	};
	const fitted = (pixels: number) => Math.round(Math.min(most(), Math.max(LEAST, pixels)));
	const onKeyDown = (event: KeyboardEvent) => {
		const to = { ArrowLeft: shown() + STEP, ArrowRight: shown() - STEP, Home: LEAST, End: most() }[event.key];
		if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		setPreferences({ panelWidth: fitted(to) });
	};
	const onPointerMove = ({ currentTarget, pointerId, clientX }: PointerEvent) => {
		const panel = edge.current?.parentElement;
		if (panel && currentTarget.hasPointerCapture(pointerId)) setDragged(fitted(panel.getBoundingClientRect().right - clientX));
	};
	const onDrop = () => {
		if (dragged !== undefined) setPreferences({ panelWidth: dragged });
		setDragged(undefined);
	};
	return (
		<hr
			ref={edge}
			className="panel-edge hide-n"
			aria-orientation="vertical"
			aria-label={words.files.width}
			title={words.files.width}
			aria-valuemin={LEAST}
			aria-valuemax={MOST}
			aria-valuenow={shownWidth}
			tabIndex={0}
			onKeyDown={onKeyDown}
			onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
			onPointerMove={onPointerMove}
			onPointerUp={onDrop}
			onPointerCancel={onDrop}
			onDoubleClick={() => setPreferences({ panelWidth: undefined })}
		/>
	);
}

function widthOf(edge: HTMLElement | null): number {
	return Math.round(edge?.parentElement?.getBoundingClientRect().width ?? LEAST);
}
