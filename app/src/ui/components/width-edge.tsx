import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";

/** An edge of a part of the page that can be made wider or narrower. The width is stored. All widths are in pixels. */
interface WidthEdgeProps {
	readonly label: string;
	readonly className: string;
	/** The side of the part that the edge is on. */
	readonly side: "left" | "right";
	/** The custom property of the `.app` element that holds the chosen width. */
	readonly property: `--${string}`;
	readonly least: number;
	/** How far one press of an arrow key moves the edge. */
	readonly step: number;
	/** The width that the user chose; absent for the default. */
	readonly kept: number | undefined;
	/** `ariaMost` is the maximum reported to screen readers, regardless of the space available now. */
	readonly ariaMost: number;
	most(edge: HTMLElement | null): number;
	keep(width: number | undefined): void;
}

/** An edge that can be dragged, or moved with the arrow keys. A double click restores the default width. */
export function WidthEdge({ label, className, side, property, least, step, kept, ariaMost, most, keep }: WidthEdgeProps) {
	const edge = useRef<HTMLHRElement>(null);
	const [dragged, setDragged] = useState<number>();
	const [shownWidth, setShownWidth] = useState(least);
	const width = dragged ?? kept;
	const shown = () => widthOf(edge.current) ?? least;
	useEffect(() => {
		const frame = edge.current?.closest<HTMLElement>(".app");
		if (width === undefined) frame?.style.removeProperty(property);
		else frame?.style.setProperty(property, `${width}px`);
		setShownWidth(widthOf(edge.current) ?? least);
		return () => void frame?.style.removeProperty(property);
	}, [width, property, least]);
	const fitted = (pixels: number) => Math.round(Math.min(most(edge.current), Math.max(least, pixels)));
	const outwards = side === "left" ? -step : step;
	const onKeyDown = (event: KeyboardEvent) => {
		const to = { ArrowLeft: shown() - outwards, ArrowRight: shown() + outwards, Home: least, End: most(edge.current) }[event.key];
		if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		keep(fitted(to));
	};
	const onPointerMove = ({ currentTarget, pointerId, clientX }: PointerEvent) => {
		const part = edge.current?.parentElement?.getBoundingClientRect();
		if (part && currentTarget.hasPointerCapture(pointerId))
			setDragged(fitted(side === "left" ? part.right - clientX : clientX - part.left));
	};
	const onDrop = () => {
		if (dragged !== undefined) keep(dragged);
		setDragged(undefined);
	};
	return (
		<hr
			ref={edge}
			className={className}
			aria-orientation="vertical"
			aria-label={label}
			title={label}
			aria-valuemin={least}
			aria-valuemax={ariaMost}
			aria-valuenow={shownWidth}
			tabIndex={0}
			onKeyDown={onKeyDown}
			onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
			onPointerMove={onPointerMove}
			onPointerUp={onDrop}
			onPointerCancel={onDrop}
			onDoubleClick={() => keep(undefined)}
		/>
	);
}

/** The width of the part that an edge belongs to. */
export function widthOf(edge: HTMLElement | null): number | undefined {
	const width = edge?.parentElement?.getBoundingClientRect().width;
	return width === undefined ? undefined : Math.round(width);
}
