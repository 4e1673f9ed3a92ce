import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { words } from "../../strings/interface.ts";
import { useStore } from "../connection/store.ts";
import { preferences, setPreferences } from "../state/preferences.ts";

const LEAST = 220;
const MOST = 480;
const STEP = 16;

/** The sidebar's edge: dragged, or moved with the arrow keys. A double click restores the default width. */
export function SideEdge() {
	const { sideWidth } = useStore(preferences);
	const edge = useRef<HTMLHRElement>(null);
	const [dragged, setDragged] = useState<number>();
	const [shownWidth, setShownWidth] = useState(LEAST);
	const width = dragged ?? sideWidth;
	const shown = () => Math.round(edge.current?.parentElement?.getBoundingClientRect().width ?? LEAST);
	// biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the width has changed
	useEffect(() => {
		const frame = edge.current?.closest<HTMLElement>(".app");
		if (width === undefined) frame?.style.removeProperty("--side-dragged");
		else frame?.style.setProperty("--side-dragged", `${width}px`);
		setShownWidth(shown());
	}, [width]);
	const fitted = (pixels: number) => Math.round(Math.min(MOST, Math.max(LEAST, pixels)));
	const onKeyDown = (event: KeyboardEvent) => {
		const to = { ArrowLeft: shown() - STEP, ArrowRight: shown() + STEP, Home: LEAST, End: MOST }[event.key];
		if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		setPreferences({ sideWidth: fitted(to) });
	};
	const onPointerMove = ({ currentTarget, pointerId, clientX }: PointerEvent) => {
		const side = edge.current?.parentElement;
		if (side && currentTarget.hasPointerCapture(pointerId)) setDragged(fitted(clientX - side.getBoundingClientRect().left));
	};
	const onDrop = () => {
		if (dragged !== undefined) setPreferences({ sideWidth: dragged });
		setDragged(undefined);
	};
	return (
		<hr
			ref={edge}
			className="panel-edge side-edge hide-n"
			aria-orientation="vertical"
			aria-label={words.sidebar.width}
			title={words.sidebar.width}
			aria-valuemin={LEAST}
			aria-valuemax={MOST}
			aria-valuenow={shownWidth}
			tabIndex={0}
			onKeyDown={onKeyDown}
			onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
			onPointerMove={onPointerMove}
			onPointerUp={onDrop}
			onPointerCancel={onDrop}
			onDoubleClick={() => setPreferences({ sideWidth: undefined })}
		/>
	);
}
