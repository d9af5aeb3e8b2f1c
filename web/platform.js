// The canvas's side of the page: every DOM listener, and when frames are drawn. The program's side is src/app/web.cpp (gp_… functions) and
// src/app/platform_web.cpp. Rules it keeps (each has a test in tests/browser): keys are ours only while the canvas or its text agent has the focus, and
// only those that act; Tab leaves at the ends, Escape when nothing is left to close; the wheel chains to the page; drags end outside; nothing is
// drawn while nothing moves, while hidden or off screen.
"use strict";

// options: {stage, canvas, agent, after(report), open(name, text)}; `program`: the module with Module.host. Returns the handle that page.js uses.
function gpudgetPlatform(program, { stage, canvas, agent, after, open, embedded, coarse, exit }) {
  const call = (name, kinds, ...values) => {
    const made = [];
    const raw = values.map((v, i) => {
      if (kinds[i] !== "s") return v;
      const size = program.lengthBytesUTF8(v) + 1, at = program._malloc(size);
      program.stringToUTF8(v, at, size);
      made.push(at);
      return at;
    });
    const answer = program["_gp_" + name](...raw);
    for (const at of made) program._free(at);
    return answer;
  };
  const callText = (name, kinds, ...values) => program.UTF8ToString(call(name, kinds, ...values));

  const cursors = ["default", "text", "move", "ns-resize", "ew-resize", "nesw-resize", "nwse-resize", "pointer", "wait", "progress", "not-allowed"];
  const names = ["frames", "revision", "byHost", "cursor", "wantsText", "decimal", "caretX", "caretY", "lineHeight", "scrolls", "height", "pending"];
  const report = {};
  let request = 0, timer = 0, visible = true, drawing = false, ready = false, lost = false;

  // Frames ---------------------------------------------------------------------------------------------------------------------------------------------
  function schedule() {
    if (!request && ready && visible && !document.hidden) request = requestAnimationFrame(draw);
  }
  function draw() {
    if (request) cancelAnimationFrame(request);
    clearTimeout(timer);
    request = timer = 0;
    if (!ready || drawing) return;
    drawing = true;  // what the interface asks of the page while it draws must not draw again
    const next = program._gp_frame(performance.now() / 1000);
    drawing = false;
    const at = program._gp_report() / 8;
    names.forEach((name, i) => (report[name] = program.HEAPF64[at + i]));
    if (report.pending || next === 0) schedule();
    else if (next > 0) timer = setTimeout(schedule, next * 1000);
    settle();
    after(report);
  }
  // Draws until the input given so far has been taken: for answers that are needed inside an event.
  function drawNow() {
    draw();
    for (let i = 0; i < 6 && report.pending; ++i) draw();
  }
  function settle() {
    const cursor = report.cursor < 0 ? "none" : cursors[report.cursor] || "default";
    if (canvas.style.cursor !== cursor) canvas.style.cursor = cursor;
    // Fingers scroll the page where nothing here scrolls; pinching is always the browser's.
    const touch = report.scrolls ? "pinch-zoom" : "pan-y pinch-zoom";
    if (canvas.style.touchAction !== touch) canvas.style.touchAction = touch;
    if (report.wantsText) {
      agent.style.left = `${Math.max(0, Math.min(report.caretX, stage.clientWidth - 2))}px`;
      agent.style.top = `${Math.max(0, Math.min(report.caretY, stage.clientHeight - 2))}px`;
      agent.style.height = `${Math.max(1, report.lineHeight)}px`;
      agent.inputMode = report.decimal ? "decimal" : "text";
    }
    const focused = document.activeElement;
    if (!pressed) {
      if (report.wantsText && focused === canvas) agent.focus({ preventScroll: true });
      else if (!report.wantsText && focused === agent) canvas.focus({ preventScroll: true });
    }
  }

  // Size: CSS pixels to lay out in, device pixels to draw ---------------------------------------------------------------------------------------------------
  let size = [0, 0, 0, 0], scale = window.devicePixelRatio || 1;
  function resize(width, height, pixelWidth, pixelHeight) {
    const now = [width, height, pixelWidth, pixelHeight];
    if (width < 1 || height < 1 || now.every((n, i) => n === size[i])) return;
    size = now;
    program._gp_resize(width, height, pixelWidth, pixelHeight);
    // A canvas that is resized is blank until it is drawn.
    if (ready && visible && !document.hidden) draw();
  }
  // The exact box of device pixels where the browser tells it. Where it is far from the scale's product (an emulated scale does not reach it) the larger of
  // the two: never blurred.
  let told = null;
  function fit(width, height, exact) {
    scale = window.devicePixelRatio || 1;
    if (exact) told = { width, height, wide: exact.inlineSize, high: exact.blockSize };
    const wide = Math.round(width * scale), high = Math.round(height * scale);
    if (told && told.width === width && told.height === height && told.wide >= wide - 1 && told.high >= high - 1) resize(width, height, told.wide, told.high);
    else resize(width, height, wide, high);
  }
  function measure() {
    const box = canvas.getBoundingClientRect();
    fit(box.width, box.height, null);
  }
  const observer = new ResizeObserver((entries) => {
    const entry = entries[entries.length - 1];
    fit(entry.contentRect.width, entry.contentRect.height, (entry.devicePixelContentBoxSize && entry.devicePixelContentBoxSize[0]) || null);
  });
  try {
    observer.observe(canvas, { box: "device-pixel-content-box" });
  } catch {
    observer.observe(canvas);
  }
  // A change of scale without a change of size: another screen.
  const watch = () => matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener("change", () => (measure(), watch()), { once: true });
  watch();
  addEventListener("resize", () => (window.devicePixelRatio || 1) !== scale && measure());

  // Focus ------------------------------------------------------------------------------------------------------------------------------------------------
  const ours = (element) => element === canvas || element === agent;
  for (const element of [canvas, agent]) {
    element.addEventListener("focus", () => {
      program._gp_focus(1, 0);
      schedule();
    });
    element.addEventListener("blur", (event) => {
      if (ours(event.relatedTarget)) return;
      program._gp_focus(0, document.hasFocus() ? 0 : 1);
      schedule();
    });
  }

  // Keys -------------------------------------------------------------------------------------------------------------------------------------------------
  const modifiers = (e) => (e.ctrlKey ? 1 : 0) | (e.shiftKey ? 2 : 0) | (e.altKey ? 4 : 0) | (e.metaKey ? 8 : 0);
  function keyDown(event) {
    if (event.isComposing || event.keyCode === 229 || event.key === "Dead" || event.key === "Process" || event.key === "Unidentified") return;
    if (/^F\d+$/.test(event.key) || event.altKey || event.getModifierState("AltGraph")) return;
    const command = event.ctrlKey || event.metaKey, letter = event.key.toLowerCase();
    if (command && !["z", "y", "a", "home", "end", "backspace", "delete", "arrowleft", "arrowright", "arrowup", "arrowdown"].includes(letter)) {
      if (event.key !== "Control" && event.key !== "Meta") return;  // copy, cut and paste come as events of their own; the rest is the browser's
    }
    if (event.key === "Tab" && event.shiftKey === false && command) return;
    let taken = call("key", "ssii", event.key, event.code, 1, modifiers(event)) !== 0;
    if (event.metaKey && event.key !== "Meta") call("key", "ssii", event.key, event.code, 0, modifiers(event));  // macOS sends no release under Cmd
    if (event.key === "Tab") {
      drawNow();
      if (program._gp_tab_leaves()) {
        taken = false;
        if (event.shiftKey && document.activeElement === agent) canvas.focus({ preventScroll: true });  // so that the browser goes back from there
        release(event);
      }
      schedule();
    } else if (event.key === "Escape" && program._gp_escape_leaves() && !taken) {
      exit();
    } else if (!taken && document.activeElement === canvas && event.key.length === 1 && !command && event.key !== " ") {
      call("text", "s", event.key);  // "/" and "?" outside a field
    } else if (taken && event.key === "/" && document.activeElement === canvas) {
      call("text", "s", event.key);
    }
    if (taken) event.preventDefault();
    schedule();
  }
  function release(event) {
    call("key", "ssii", event.key, event.code, 0, modifiers(event));
  }
  function keyUp(event) {
    release(event);
    schedule();
  }
  for (const element of [canvas, agent]) {
    element.addEventListener("keydown", keyDown);
    element.addEventListener("keyup", keyUp);
  }

  // Text: accents, input methods, soft keyboards ----------------------------------------------------------------------------------------------------------------
  const type = (text) => {
    if (text) call("text", "s", text);
    agent.value = "";
    schedule();
  };
  const tap = (key) => {
    call("key", "ssii", key, key, 1, 0);
    call("key", "ssii", key, key, 0, 0);
    schedule();
  };
  let composing = false;
  agent.addEventListener("compositionstart", () => {
    composing = true;
    agent.classList.add("composing");
  });
  agent.addEventListener("compositionend", (event) => {
    composing = false;
    agent.classList.remove("composing");
    type(event.data || agent.value);
  });
  agent.addEventListener("beforeinput", (event) => {
    if (event.inputType === "deleteContentBackward" && !composing && agent.value === "") tap("Backspace");
    else if (event.inputType === "insertLineBreak" || event.inputType === "insertParagraph") event.preventDefault();
  });
  agent.addEventListener("input", (event) => {
    if (composing || event.isComposing) return;
    type(agent.value);
  });

  // Clipboard: through the events, which need no permission; the program answers in the same turn --------------------------------------------------------------
  const cutOrCopy = (letter) => (event) => {
    if (!ours(document.activeElement) || !report.wantsText) return;
    call("set_clipboard", "s", "");
    program._gp_chord(letter.charCodeAt(0));
    quiet = true;
    drawNow();
    draw();
    quiet = false;
    const text = callText("clipboard", "");
    if (text) event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  };
  let quiet = false;
  document.addEventListener("copy", cutOrCopy("c"));
  document.addEventListener("cut", cutOrCopy("x"));
  document.addEventListener("paste", (event) => {
    if (!ours(document.activeElement)) return;
    const text = event.clipboardData.getData("text/plain");
    event.preventDefault();
    if (!text) return;
    if (report.wantsText) {
      call("set_clipboard", "s", text.slice(0, 1 << 22));
      program._gp_chord("v".charCodeAt(0));
    } else if (text.length <= 1 << 22) {
      open("", text);  // a scenario or another tool's configuration, pasted anywhere
    }
    schedule();
  });

  // Pointer ------------------------------------------------------------------------------------------------------------------------------------------------
  const SLOP = 6;
  let buttons = 0, pressed = false, intent = !embedded, finger = null, glide = 0;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const kind = (event) => (event.pointerType === "touch" ? 1 : event.pointerType === "pen" ? 2 : 0);
  const IMGUI_BUTTON = [0, 1, 2, 3, 4], BITS = [1, 2, 4, 8, 16];  // of `buttons`: left, right, middle, back, forward
  function press(now) {
    BITS.forEach((bit, i) => {
      if ((now & bit) !== (buttons & bit)) program._gp_button(IMGUI_BUTTON[i], now & bit ? 1 : 0);
    });
    buttons = now;
  }
  function stopGlide() {
    cancelAnimationFrame(glide);
    glide = 0;
  }
  canvas.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch" && !event.isPrimary) return;
    stopGlide();
    intent = pressed = true;
    const [x, y] = place(event);
    try {
      canvas.setPointerCapture(event.pointerId);
    } catch {  // a pointer that a script made up
    }
    program._gp_pointer(x, y, kind(event));
    if (event.pointerType === "touch") {
      finger = { id: event.pointerId, x, y, lastX: x, lastY: y, time: event.timeStamp, vx: 0, vy: 0, scrolling: false, decided: false };
      drawNow();  // the item under the finger is known before it is pressed
      program._gp_button(0, 1);
      buttons = 1;
    } else {
      press(event.buttons || 1);
    }
    if (document.activeElement !== agent) canvas.focus({ preventScroll: true });
    drawNow();
  });
  canvas.addEventListener("mousedown", (event) => event.preventDefault());  // else the browser focuses the canvas and scrolls it into view
  canvas.addEventListener("pointermove", (event) => {
    if (event.movementX || event.movementY || event.pointerType !== "mouse") intent = true;
    const [x, y] = place(event);
    if (finger && event.pointerId === finger.id) {
      dragFinger(event, x, y);
    } else if (event.pointerType !== "touch") {
      program._gp_pointer(x, y, kind(event));
      press(event.buttons);
    }
    schedule();
  });
  function dragFinger(event, x, y) {
    const dx = x - finger.x, dy = y - finger.y;
    if (!finger.decided && Math.hypot(dx, dy) > SLOP) {
      finger.decided = true;
      // Along the page: a scroll, whatever it began on, except a scrollbar. Across: the widget's (sliders, text).
      if (Math.abs(dy) > Math.abs(dx) && report.scrolls && !program._gp_active_is_scrollbar()) {
        finger.scrolling = true;
        program._gp_cancel_press();
        drawNow();
        program._gp_pointer(finger.x, finger.y, 1);
        drawNow();
        buttons = 0;
      }
    }
    if (finger.scrolling) {
      const step = y - finger.lastY, elapsed = Math.max(1, event.timeStamp - finger.time);
      program._gp_pan(0, step);
      finger.vy = 0.7 * (step / elapsed) + 0.3 * finger.vy;
    } else {
      program._gp_pointer(x, y, 1);
    }
    finger.lastX = x;
    finger.lastY = y;
    finger.time = event.timeStamp;
  }
  function endFinger(event, cancelled) {
    const { scrolling, vy, time } = finger;
    finger = null;
    pressed = false;
    if (scrolling) {
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches || event.timeStamp - time > 80;
      if (!still && Math.abs(vy) > 0.05) {
        let speed = vy, last = performance.now();
        const step = (now) => {
          const elapsed = Math.min(50, now - last);
          last = now;
          speed *= Math.exp(-elapsed / 325);
          glide = Math.abs(speed) > 0.02 && program._gp_pan(0, speed * elapsed) ? requestAnimationFrame(step) : 0;
          if (!glide) program._gp_pointer(0, 0, 3);
          schedule();
        };
        glide = requestAnimationFrame(step);
        return;
      }
    } else if (cancelled) {
      program._gp_cancel_press();
    } else {
      program._gp_button(0, 0);
      drawNow();
    }
    buttons = 0;
    program._gp_pointer(0, 0, 3);  // a finger that left hovers nothing
    drawNow();
    schedule();
  }
  const up = (cancelled) => (event) => {
    if (finger) {
      if (event.pointerId === finger.id) endFinger(event, cancelled);
      return;
    }
    if (event.pointerType === "touch") return;
    const [x, y] = place(event);
    program._gp_pointer(x, y, kind(event));
    press(cancelled ? 0 : event.buttons);
    pressed = buttons !== 0;
    drawNow();  // inside the gesture: the clipboard and the soft keyboard need one
    schedule();
  };
  canvas.addEventListener("pointerup", up(false));
  canvas.addEventListener("pointercancel", up(true));
  canvas.addEventListener("pointerenter", (event) => {
    if (event.pointerType === "mouse" && embedded) intent = false;
  });
  canvas.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "touch" || buttons) return;
    program._gp_pointer(0, 0, 3);
    schedule();
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());

  // Wheel: ours where something under the pointer scrolls that way, the page's otherwise; a gesture keeps its owner until it pauses --------------------------
  let wheelTime = -1e9, wheelOurs = false;
  canvas.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey) return;  // zoom
    const began = event.timeStamp - wheelTime > 200;
    wheelTime = event.timeStamp;
    const unit = event.deltaMode === 0 ? 1 / 100 : event.deltaMode === 1 ? 1 / 3 : 1;
    const sideways = event.shiftKey && event.deltaX === 0;
    const x = -(sideways ? event.deltaY : event.deltaX) * unit, y = sideways ? 0 : -event.deltaY * unit;
    if (began) {
      wheelOurs = false;
      if (!intent) return;
      const [px, py] = place(event);
      program._gp_pointer(px, py, 0);
      if (report.pending === undefined || began) drawNow();
    } else if (!wheelOurs) {
      return;
    }
    if (program._gp_wheel(x, y)) wheelOurs = true;
    if (wheelOurs) event.preventDefault();
    schedule();
  }, { passive: false });

  // Files ------------------------------------------------------------------------------------------------------------------------------------------------
  const LARGEST = 64 << 20;
  async function openFile(file) {
    if (!file) return;
    open(file.name, file.size > LARGEST ? "" : await file.text());
  }
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer && [...event.dataTransfer.types].includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    if (!event.dataTransfer || !event.dataTransfer.files.length) return;
    event.preventDefault();
    openFile(event.dataTransfer.files[0]);
  });

  // Context loss, hidden, off screen -----------------------------------------------------------------------------------------------------------------------
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    lost = true;
    program._gp_context_lost();
  });
  canvas.addEventListener("webglcontextrestored", () => {
    lost = false;
    program._gp_context_restored();
    schedule();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      clearTimeout(timer);
      timer = 0;
    } else {
      program._gp_wake();
      schedule();
    }
  });
  new IntersectionObserver((entries) => {
    const now = entries[entries.length - 1].isIntersecting;
    if (now && !visible) {
      visible = true;
      program._gp_wake();
      schedule();
    }
    visible = now;
    if (!visible) clearTimeout(timer);
  }, { rootMargin: "100px" }).observe(canvas);
  if (window.visualViewport) {
    // The soft keyboard covers the page: the field that is edited stays above it.
    window.visualViewport.addEventListener("resize", () => {
      if (report.wantsText && document.activeElement === agent) agent.scrollIntoView({ block: "nearest" });
    });
  }

  return {
    call, callText, report, schedule, draw, measure,
    start() {
      ready = true;
      measure();
      program._gp_wake();
      draw();
      schedule();
    },
    quiet: () => quiet,
    lost: () => lost,
    openFile,
  };
}
