/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_RACK_MATRIX_H
#define DCN_RACK_MATRIX_H

#include "ns3/dcn-large-pages.h"
#include "ns3/dcn-random.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Relative numbers of flows between racks.
 *
 * The generators replace the rack matrices of Meta's database, web and Hadoop clusters (Roy et al.,
 * SIGCOMM 2015), called A, B and C in the evaluations of Parsimon (section 5), m3 and m4, which are
 * not shipped. They reproduce, for 32 and more racks, the statistics below, measured on the 32-rack
 * and the full matrices, but not single cells. The weights depend on the seed, the structure does
 * not.
 */
class DcnRackMatrix
{
  public:
    /**
     * @brief Create a matrix with all cells 0.
     * @param nRacks number of racks, at least 1
     */
    explicit DcnRackMatrix(uint32_t nRacks);

    /**
     * @brief Read a CSV without header: a row per source rack, a column per destination rack.
     * @param path the file
     * @return the matrix
     * @throws DcnError unless it is square, no cell is below 0 and at least one is above
     */
    static DcnRackMatrix Read(const std::string& path);

    /**
     * @brief Database-like (A): sparse, symmetric, spread over many racks.
     *
     * A fifth of the racks is silent; the others have weights uniform in 0.5 .. 1.8, and 15 % of
     * their pairs have no flows, so that about half of the cells are 0 (measured: 38-50 %). No flow
     * stays in its rack (0.0-0.1 %). A pair's weight is the product of its racks' weights and a
     * log-normal factor, symmetric (transpose correlation 0.998), which gives the off-diagonal
     * cells a coefficient of variation of about 1.9 (1.84-1.88).
     *
     * @param nRacks number of racks, at least 2
     * @param random the seed
     * @return the matrix, of sum 1
     * @throws DcnError if there are too few racks
     */
    static DcnRackMatrix Database(uint32_t nRacks, const DcnRandom& random);

    /**
     * @brief Web-like (B): a few racks exchange flows with all, the others hardly with each other.
     *
     * 12 % of the racks are hubs (caches): 36 % of the flows go from a hub to another rack and 48 %
     * the other way, 2 % between hubs (measured: 11 % of the rows carry 34 %, 10 % of the columns
     * 46 %). A fifth of the cells carries about 81 % of the flows (82-97 %). The other racks'
     * log-normal weights give off-diagonal cells a coefficient of variation of about 1.7
     * (1.70-2.10). The transpose correlation is about 0.94 (0.94-0.95). Nearly no flow stays in its
     * rack (0.1-1.0 %).
     *
     * @param nRacks number of racks, at least 3
     * @param random the seed
     * @return the matrix, of sum 1
     * @throws DcnError if there are too few racks
     */
    static DcnRackMatrix Web(uint32_t nRacks, const DcnRandom& random);

    /**
     * @brief Hadoop-like (C): nearly uniform between racks, with a strong diagonal.
     *
     * A diagonal cell has on average the weight of 32 other cells, so that half of the flows stay
     * in their rack with 32 racks (measured: 50.5 %) and 8 % with 365 (8.7 %). With fewer racks the
     * share is limited to half, so that a small network still uses its core. Other cells vary
     * little and are symmetric (coefficient of variation 0.26, transpose correlation 1.0); diagonal
     * cells vary more (log-normal of shape 0.7).
     *
     * @param nRacks number of racks, at least 1
     * @param random the seed
     * @return the matrix, of sum 1
     */
    static DcnRackMatrix Hadoop(uint32_t nRacks, const DcnRandom& random);

    /** @return the number of racks. */
    uint32_t GetNRacks() const;

    /**
     * @param source rack number
     * @param destination rack number
     * @return the cell
     */
    double Get(uint32_t source, uint32_t destination) const;

    /**
     * @param source rack number
     * @param destination rack number
     * @param weight the new value, not below 0
     */
    void Set(uint32_t source, uint32_t destination, double weight);

    /**
     * @brief Hand over the cells; the matrix must not be used afterwards.
     * @return the cells, row-major
     */
    DcnLargeVector<double> Release();

  private:
    void Normalise();

    uint32_t m_nRacks;                //!< rows and columns
    DcnLargeVector<double> m_weights; //!< row-major
};

} // namespace ns3

#endif /* DCN_RACK_MATRIX_H */
