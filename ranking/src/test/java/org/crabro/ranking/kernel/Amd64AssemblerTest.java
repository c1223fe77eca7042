package org.crabro.ranking.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.crabro.ranking.kernel.Amd64Assembler.R10;
import static org.crabro.ranking.kernel.Amd64Assembler.R11;
import static org.crabro.ranking.kernel.Amd64Assembler.R8;
import static org.crabro.ranking.kernel.Amd64Assembler.R9;
import static org.crabro.ranking.kernel.Amd64Assembler.RAX;
import static org.crabro.ranking.kernel.Amd64Assembler.RBX;
import static org.crabro.ranking.kernel.Amd64Assembler.RCX;
import static org.crabro.ranking.kernel.Amd64Assembler.RDI;
import static org.crabro.ranking.kernel.Amd64Assembler.RDX;
import static org.crabro.ranking.kernel.Amd64Assembler.RSI;
import static org.crabro.ranking.kernel.Amd64Assembler.Width.BITS_128;
import static org.crabro.ranking.kernel.Amd64Assembler.Width.BITS_256;
import static org.crabro.ranking.kernel.Amd64Assembler.Width.BITS_512;

import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.crabro.ranking.kernel.Amd64Assembler.Memory;
import org.crabro.ranking.kernel.Amd64Assembler.Vector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares with the output of the GNU assembler for the same instructions, with the longer of two
 * forms on request.
 */
class Amd64AssemblerTest {
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    static Stream<Arguments> instructions() {
        return Stream.of(
                of("push rbx", "53", a -> a.push(RBX)),
                of("pop rdi", "5f", a -> a.pop(RDI)),
                of("ret", "c3", a -> a.ret()),
                of("vzeroupper", "c5 f8 77", a -> a.vzeroupper()),
                of("mov r9, rcx", "49 89 c9", a -> a.mov(R9, RCX)),
                of("mov rax, r10", "4c 89 d0", a -> a.mov(RAX, R10)),
                of("mov eax, 0x80808080", "b8 80 80 80 80", a -> a.mov32(RAX, 0x8080_8080)),
                of("mov edi, 1", "bf 01 00 00 00", a -> a.mov32(RDI, 1)),
                of("add rcx, rcx", "48 01 c9", a -> a.add(RCX, RCX)),
                of("add r8, rbx", "49 01 d8", a -> a.add(R8, RBX)),
                of("add rsi, 64", "48 83 c6 40", a -> a.addByte(RSI, 64)),
                of("add r8, -8", "49 83 c0 f8", a -> a.addByte(R8, -8)),
                of("cmp rax, rdx", "48 39 d0", a -> a.cmp(RAX, RDX)),
                of("cmp r8, rbx", "49 39 d8", a -> a.cmp(R8, RBX)),
                of("imul r9, rdx", "4c 0f af ca", a -> a.imul(R9, RDX)),
                of("imul rcx, r11", "49 0f af cb", a -> a.imul(RCX, R11)),
                of("lea r10, [r9+r9*2]", "4f 8d 14 49", a -> a.lea(R10, Memory.at(R9, R9, 2))),
                of("lea rbx, [r8+rcx]", "49 8d 1c 08", a -> a.lea(RBX, Memory.at(R8, RCX))),
                of("lea rax, [rsi+r10*4]", "4a 8d 04 96", a -> a.lea(RAX, Memory.at(RSI, R10, 4))),
                of("xor eax, eax", "31 c0", a -> a.zero32(RAX)),
                of("xor edx, edx", "31 d2", a -> a.zero32(RDX)),
                of(
                        "vmovdqu64 zmm8, [rdi+rax]",
                        "62 71 fe 48 6f 04 07",
                        a -> a.vmovdqu64(BITS_512, 8, Memory.at(RDI, RAX))),
                of(
                        "vmovdqu64 ymm3, [r8]",
                        "62 d1 fe 28 6f 18",
                        a -> a.vmovdqu64(BITS_256, 3, Memory.at(R8))),
                of(
                        "vpxord zmm15, zmm9, [rsi+r9*2]",
                        "62 31 35 48 ef 3c 4e",
                        a -> a.vpxord(BITS_512, 15, 9, Memory.at(RSI, R9, 2))),
                of(
                        "vpxord zmm1, zmm2, zmm3",
                        "62 f1 6d 48 ef cb",
                        a -> a.vpxord(BITS_512, 1, 2, new Vector(3))),
                of(
                        "prefetcht0 [rsi+2048]",
                        "0f 18 8e 00 08 00 00",
                        a -> a.prefetcht0(Memory.at(RSI).plus(2048))),
                of(
                        "prefetcht0 [rsi+r9*2+2048]",
                        "42 0f 18 8c 4e 00 08 00 00",
                        a -> a.prefetcht0(Memory.at(RSI, R9, 2).plus(2048))),
                of(
                        "prefetcht0 [r8+rcx*4-4096]",
                        "41 0f 18 8c 88 00 f0 ff ff",
                        a -> a.prefetcht0(Memory.at(R8, RCX, 4).plus(-4096))),
                of("prefetcht0 [rdi]", "0f 18 0f", a -> a.prefetcht0(Memory.at(RDI))),
                of(
                        "vmovdqu64 zmm8, [rdi+rax+4100]",
                        "62 71 fe 48 6f 84 07 04 10 00 00",
                        a -> a.vmovdqu64(BITS_512, 8, Memory.at(RDI, RAX).plus(4100))),
                of(
                        "vdpbf16ps zmm0, zmm8, [rsi]",
                        "62 f2 3e 48 52 06",
                        a -> a.vdpbf16ps(BITS_512, 0, 8, Memory.at(RSI))),
                of(
                        "vdpbf16ps zmm7, zmm14, zmm9",
                        "62 d2 0e 48 52 f9",
                        a -> a.vdpbf16ps(BITS_512, 7, 14, new Vector(9))),
                of(
                        "vpdpbusd zmm4, zmm10, zmm14",
                        "62 d2 2d 48 50 e6",
                        a -> a.vpdpbusd(BITS_512, 4, 10, new Vector(14))),
                of(
                        "vpdpbusd zmm12, zmm1, [r10+r11]",
                        "62 12 75 48 50 24 1a",
                        a -> a.vpdpbusd(BITS_512, 12, 1, Memory.at(R10, R11))),
                of(
                        "vaddps ymm0, ymm1, ymm11",
                        "62 d1 74 28 58 c3",
                        a -> a.vaddps(BITS_256, 0, 1, 11)),
                of(
                        "vsubps zmm12, zmm2, zmm3",
                        "62 71 6c 48 5c e3",
                        a -> a.vsubps(BITS_512, 12, 2, 3)),
                of(
                        "vpaddd xmm0, xmm9, xmm1",
                        "62 f1 35 08 fe c1",
                        a -> a.vpaddd(BITS_128, 0, 9, 1)),
                of(
                        "vpsubd zmm5, zmm6, zmm7",
                        "62 f1 4d 48 fa ef",
                        a -> a.vpsubd(BITS_512, 5, 6, 7)),
                of(
                        "vaddpd ymm0, ymm0, ymm15",
                        "62 d1 fd 28 58 c7",
                        a -> a.vaddpd(BITS_256, 0, 0, 15)),
                of(
                        "vunpcklps xmm9, xmm2, xmm3",
                        "62 71 6c 08 14 cb",
                        a -> a.vunpcklps(BITS_128, 9, 2, 3)),
                of(
                        "vunpckhps xmm12, xmm0, xmm1",
                        "62 71 7c 08 15 e1",
                        a -> a.vunpckhps(BITS_128, 12, 0, 1)),
                of(
                        "vunpcklpd xmm0, xmm12, xmm11",
                        "62 d1 9d 08 14 c3",
                        a -> a.vunpcklpd(BITS_128, 0, 12, 11)),
                of(
                        "vunpckhpd xmm11, xmm12, xmm10",
                        "62 51 9d 08 15 da",
                        a -> a.vunpckhpd(BITS_128, 11, 12, 10)),
                of("vcvtps2pd ymm0, xmm9", "62 d1 7c 28 5a c1", a -> a.vcvtps2pd(BITS_256, 0, 9)),
                of("vcvtdq2pd ymm10, xmm0", "62 71 7e 28 e6 d0", a -> a.vcvtdq2pd(BITS_256, 10, 0)),
                of(
                        "vbroadcastsd ymm15, xmm0",
                        "62 72 fd 28 19 f8",
                        a -> a.vbroadcastsd(BITS_256, 15, 0)),
                of(
                        "vpbroadcastd zmm14, eax",
                        "62 72 7d 48 7c f0",
                        a -> a.vpbroadcastd(BITS_512, 14, RAX)),
                of(
                        "vpbroadcastd zmm1, r9d",
                        "62 d2 7d 48 7c c9",
                        a -> a.vpbroadcastd(BITS_512, 1, R9)),
                of(
                        "vextractf32x4 xmm11, ymm0, 1",
                        "62 d3 7d 28 19 c3 01",
                        a -> a.vextractf32x4(BITS_256, 11, 0, 1)),
                of(
                        "vextractf32x4 xmm1, zmm12, 3",
                        "62 73 7d 48 19 e1 03",
                        a -> a.vextractf32x4(BITS_512, 1, 12, 3)),
                of(
                        "vextractf64x4 ymm11, zmm2, 1",
                        "62 d3 fd 48 1b d3 01",
                        a -> a.vextractf64x4(11, 2, 1)),
                of(
                        "vmovlpd [r8+rcx*2], xmm11",
                        "62 51 fd 08 13 1c 48",
                        a -> a.vmovlpd(Memory.at(R8, RCX, 2), 11)),
                of(
                        "vmovhpd [r8+r11], xmm0",
                        "62 91 fd 08 17 04 18",
                        a -> a.vmovhpd(Memory.at(R8, R11), 0)),
                of("vmovlpd [rdi], xmm1", "62 f1 fd 08 13 0f", a -> a.vmovlpd(Memory.at(RDI), 1)));
    }

    private static Arguments of(String text, String code, Consumer<Amd64Assembler> instruction) {
        return Arguments.of(text, code, instruction);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("instructions")
    void writes(String text, String code, Consumer<Amd64Assembler> instruction) {
        var assembler = new Amd64Assembler();

        instruction.accept(assembler);

        assertThat(HEX.formatHex(assembler.code())).as(text).isEqualTo(code);
    }

    @Test
    void jumpsBackFromBehindTheJump() {
        var assembler = new Amd64Assembler();
        assembler.ret();
        assembler.align(4);
        int target = assembler.here();
        assembler.addByte(RAX, 1);
        assembler.jne(target);

        assertThat(HEX.formatHex(assembler.code()))
                .isEqualTo("c3 90 90 90 48 83 c0 01 0f 85 f6 ff ff ff");
    }
}
